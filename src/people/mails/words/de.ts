import type { MailWords } from './words.ts'

const TIME = new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
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

Waren Sie es, öffnen Sie den Link, der dorthin gesendet wurde. Waren Sie es nicht, legen Sie jetzt ein neues Passwort fest, was die Änderung verhindert, und melden Sie sich überall ab.
`,
  }),
  emailChanged: (to, email) => ({
    subject: 'Ihre E-Mail-Adresse für Shelfwire wurde geändert',
    text: `${to} meldet sich nicht mehr bei Shelfwire an: Die Adresse ist jetzt ${email}.

Waren Sie es nicht, wenden Sie sich sofort an einen Eigentümer Ihres Kontos oder an den Betreiber des Dienstes.
`,
  }),
  alerts: {
    acts: {
      changePassword: (email) => `${email} hat ein neues Passwort`,
      resetPassword: (email) => `${email} hat ein neues Passwort, festgelegt über einen Link aus einer E-Mail`,
      addPasskey: (email) => `${email} hat einen Passkey hinzugefügt`,
      removePasskey: (email) => `${email} hat einen Passkey entfernt`,
      confirmTotp: (email) => `${email} hat Codes einer Authenticator-App eingerichtet`,
      removeTotp: (email) => `${email} meldet sich nicht mehr mit Codes einer Authenticator-App an`,
      linkProvider: (email) => `${email} meldet sich ab jetzt beim Identitätsanbieter an`,
      unlinkProvider: (email) => `${email} meldet sich nicht mehr beim Identitätsanbieter an`,
      takeOverByProvider: (email) =>
        `${email} meldet sich ab jetzt beim Identitätsanbieter an, und alles, womit man sich bisher anmelden konnte, ist ungültig`,
    },
    tokenCreated: (by) => `${by} hat in Ihrem Konto ein Token mit vollem Zugriff erstellt`,
    tokenRotated: (by) => `${by} hat ein Token Ihres Kontos mit vollem Zugriff durch ein neues ersetzt`,
    ownerInvited: (by, email) => `${by} hat ${email} als Eigentümer Ihres Kontos eingeladen`,
    ownerJoined: (email) => `${email} ist Ihrem Konto als Eigentümer beigetreten`,
    ownerRemoved: (by, email) => `${by} hat ${email} entfernt, bisher Eigentümer Ihres Kontos`,
    madeOwner: (by, email) => `${by} hat ${email} zum Eigentümer Ihres Kontos gemacht`,
    madeMember: (by, email) => `${by} hat ${email} vom Eigentümer zum Mitglied Ihres Kontos gemacht`,
    passkeyName: (name) => `Name des Passkeys: ${name}`,
    sessionsEnded: 'Alle Sitzungen sind beendet.',
    passkeysRemoved: (names) => `Entfernte Passkeys: ${names.join(', ')}.`,
    providerUnlinked:
      'Die Verbindung mit dem Identitätsanbieter, die im Profil eingerichtet war, ist getrennt; wenn sie von Ihnen war, verbinden Sie ihn dort erneut.',
    codesEnd: (hours) =>
      `Codes der Authenticator-App gelten in ${hours} Stunden nicht mehr. Wenn es Ihre sind, melden Sie sich vorher mit einem an; dann gelten sie weiter.`,
    addressUnproven:
      'Bisher war hier nicht bestätigt, dass die Adresse dieser Person gehört. Deshalb gelten das bisherige Passwort, Passkeys, Codes und Sitzungen nicht mehr: Jemand anderes könnte sie eingerichtet haben.',
    made: { tokens: 'Tokens', invitations: 'Einladungen', endpointLinks: 'Links zu Endpunkten' },
    goesOn: (list) =>
      `Was im Namen dieser Person erstellt wurde, gilt weiter: ${list}. Im Profil der Person ist es aufgeführt und lässt sich beenden.`,
    passwordAgain: '„Passwort vergessen?“ auf der Anmeldeseite sendet einen Link, mit dem man ein neues festlegt.',
    mail: ({ sentence, more, happenedAt, address }) => ({
      subject: 'Sicherheit Ihres Kontos bei Shelfwire',
      text: `${sentence}.

Zeit:   ${TIME.format(happenedAt)} UTC
Von:    ${address}
${more === '' ? '' : `\n${more}\n`}
Wenn Sie das erwartet haben, müssen Sie nichts tun. Wenn nicht, ist vielleicht jemand anderes angemeldet: Legen Sie ein neues Passwort fest, melden Sie sich überall ab, und prüfen Sie Personen, Tokens und das Änderungsprotokoll Ihres Kontos.
`,
    }),
  },
}

function minutesOf(minutes: number): string {
  return minutes === 1 ? 'eine Minute' : `${minutes} Minuten`
}
