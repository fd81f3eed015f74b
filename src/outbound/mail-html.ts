import { escapeHtml } from '../platform/text/escape-html.ts'
import type { WrittenLanguage } from '../platform/text/written-language.ts'

// Makes the HTML part of a mail from its plain text, so that only one text has to be written and checked;
// docs/decisions/235-mails-have-one-text.md says why. Pure.

/** The panel's colours, light and dark. Styles are in both the head and the elements, because some mail programs drop one of the two. */
const STYLE = `:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .back { background: #121318 !important; }
  .card { background: #191b21 !important; border-color: #2a2c36 !important; color: #e6e6ee !important; }
  .quiet, .fact { color: #a0a2b2 !important; }
  .command { background: #121318 !important; border-color: #2a2c36 !important; color: #e6e6ee !important; }
  .link { color: #a9b1ff !important; }
  .button { background: #5b67e6 !important; }
}`
const BACK = 'margin:0;padding:24px 12px;background:#f4f4f7'
const CARD =
  'max-width:560px;margin:0 auto;padding:28px 28px 12px;background:#ffffff;border:1px solid #e3e3ea;border-radius:10px;color:#1b1c25;font:16px/1.6 system-ui,-apple-system,Segoe UI,Roboto,sans-serif;overflow-wrap:anywhere'
const BRAND = 'margin:0 0 12px;font-size:14px;font-weight:600;color:#5d5e6e'
const TITLE = 'margin:0 0 16px;font-size:22px;line-height:1.25;letter-spacing:-.01em'
const PARAGRAPH = 'margin:0 0 16px'
const FACT =
  'padding:2px 20px 2px 0;color:#5d5e6e;font-weight:normal;text-align:left;vertical-align:top;white-space:nowrap'
const COMMAND =
  'margin:0 0 16px;padding:12px 14px;background:#f4f4f7;border:1px solid #e3e3ea;border-radius:8px;font:13px/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap'
const BUTTON =
  'display:inline-block;padding:10px 22px;background:#3a46c9;border-radius:6px;color:#ffffff;font-weight:600;text-decoration:none'

/** A fact such as `Last error:  status 500`: a name, a colon, at least two spaces, and a value. */
const FACT_LINE = /^([^\s:][^:]{0,30}):[ ]{2,}(.*)$/

/** Texts of the HTML part that are not in the plain text. */
const WORDS: Readonly<Record<WrittenLanguage, { open: string; copy: string }>> = {
  en: { open: 'Open', copy: 'If the button does not work, copy this address into your browser:' },
  de: {
    open: 'Öffnen',
    copy: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  },
  pl: { open: 'Otwórz', copy: 'Jeśli przycisk nie działa, skopiuj ten adres do przeglądarki:' },
}

const isCommand = (line: string) => line.startsWith('  ')

/**
 * An HTML page of the text's paragraphs: facts as a table, lines that begin with two spaces as commands, everything else unchanged. All of the
 * text is included, and nothing but `link` becomes a link.
 * @param text lines separated by \n; an empty line separates paragraphs
 * @param link the paragraph that becomes a button; null: none
 * @param language of the text
 */
export function mailHtml({
  subject,
  text,
  link,
  language,
}: {
  subject: string
  text: string
  link: string | null
  language: WrittenLanguage
}): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => (paragraph === link ? linkHtml(link, language) : paragraphHtml(paragraph.split('\n'))))
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${STYLE}</style>
</head>
<body class="back" style="${BACK}">
<div class="card" style="${CARD}">
<p class="quiet" style="${BRAND}">Shelfwire</p>
<h1 style="${TITLE}">${escapeHtml(subject)}</h1>
${paragraphs.join('\n')}
</div>
</body>
</html>
`
}

function linkHtml(link: string, language: WrittenLanguage): string {
  const address = escapeHtml(link)
  const { open, copy } = WORDS[language]
  return `<p style="${PARAGRAPH}"><a class="button" style="${BUTTON}" href="${address}">${open}</a></p>
<p class="quiet" style="${PARAGRAPH};font-size:13px;color:#5d5e6e">${copy}<br><a class="link" style="color:#3540b8" href="${address}">${address}</a></p>`
}

function paragraphHtml(lines: readonly string[]): string {
  const facts = lines.map((line) => FACT_LINE.exec(line))
  if (facts.every((fact) => fact !== null))
    return `<table style="margin:0 0 16px;border-collapse:collapse">
${facts.map(([, name = '', value = '']) => `<tr><th scope="row" class="fact" style="${FACT}">${escapeHtml(name)}</th><td style="padding:2px 0;vertical-align:top">${escapeHtml(value)}</td></tr>`).join('\n')}
</table>`
  const parts: string[][] = []
  for (const [at, line] of lines.entries()) {
    const previous = lines[at - 1]
    if (previous !== undefined && isCommand(previous) === isCommand(line)) parts.at(-1)?.push(line)
    else parts.push([line])
  }
  return parts
    .map((part) =>
      isCommand(part[0] ?? '')
        ? `<pre class="command" style="${COMMAND}">${escapeHtml(part.map((line) => line.trim()).join('\n'))}</pre>`
        : `<p style="${PARAGRAPH}">${escapeHtml(part.join(' '))}</p>`,
    )
    .join('\n')
}
