import type { MailWords } from './words.ts'

const IGNORE = 'Waren Sie es nicht, ignorieren Sie diese E-Mail:'

export const de: MailWords = {
  operator: 'Der Betreiber',
  invitation: ({ account, accountName, invitedBy, days, link }) => ({
    subject: account === null ? 'Einladung zu Shelfwire' : `Einladung zum Konto ${account} bei Shelfwire`,
    text: `${invitedBy} lädt Sie zum Konto „${accountName}“ bei Shelfwire ein.

Öffnen Sie diesen Link, um die Einladung anzunehmen; er gilt einmal und ${days === 1 ? 'einen Tag' : `${days} Tage`} lang:

${link}

Wenn Sie nicht wissen, worum es geht, ignorieren Sie diese E-Mail.
`,
  }),
  reset: (to, minutes, link) => ({
    subject: 'Neues Passwort für Shelfwire',
    text: `Für ${to} wurde bei Shelfwire ein neues Passwort angefordert.

Öffnen Sie diesen Link, um eines festzulegen; er gilt einmal und ${minutesOf(minutes)} lang:

${link}

${IGNORE} Ihr Passwort bleibt, wie es ist.
`,
  }),
  newEmail: (to, minutes, link) => ({
    subject: 'Ihre neue E-Mail-Adresse für Shelfwire',
    text: `Jemand möchte sich bei Shelfwire als ${to} anmelden.

Öffnen Sie diesen Link, um zu bestätigen, dass Sie es sind; er gilt einmal und ${minutesOf(minutes)} lang:

${link}

${IGNORE} Es ändert sich nichts.
`,
  }),
  emailAsked: (to, email) => ({
    subject: 'Ihre E-Mail-Adresse für Shelfwire soll geändert werden',
    text: `Jemand, der bei Shelfwire als ${to} angemeldet ist, möchte sich künftig als ${email} anmelden.

Waren Sie es, öffnen Sie den Link, der dorthin gesendet wurde. Waren Sie es nicht, setzen Sie jetzt ein neues Passwort, was die Änderung verhindert, und melden Sie sich überall ab.
`,
  }),
  emailChanged: (to, email) => ({
    subject: 'Ihre E-Mail-Adresse für Shelfwire wurde geändert',
    text: `${to} meldet sich nicht mehr bei Shelfwire an: Die Adresse ist jetzt ${email}.

Waren Sie es nicht, wenden Sie sich sofort an einen Eigentümer Ihres Kontos oder an den Betreiber des Dienstes.
`,
  }),
}

function minutesOf(minutes: number): string {
  return minutes === 1 ? 'eine Minute' : `${minutes} Minuten`
}
