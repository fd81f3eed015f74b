import { escapeHtml } from '../../platform/text/escape-html.ts'

// What every page of the documentation has around it. Links are relative, so that they also work behind a proxy that adds a path.

export interface Frame {
  title: string
  /** From this page to /docs/. */
  root: string
  /** Whether it is a page of the reference, which has a script: it sends requests to the service. */
  hasScript?: boolean
  body: string
}

export function frame({ title, root, hasScript = false, body }: Frame): string {
  const script = hasScript ? `\n<script src="${root}reference.js" defer></script>` : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${root}guides.css">${script}
</head>
<body>
${body}
</body>
</html>
`
}

/** The two halves of the documentation, and neither: the start page, the search. */
export type Half = 'guides' | 'reference' | null

/**
 * @param asked what the field of the search holds.
 * @param more HTML at the end of it.
 */
export function header(root: string, half: Half, asked = '', more = ''): string {
  const link = (href: string, text: string, isCurrent: boolean) =>
    `<a href="${href}"${isCurrent ? ' aria-current="true"' : ''}>${text}</a>`
  return `<header><a class="brand" href="${root}guides">Shelfwire</a>
<nav aria-label="Documentation">${link(`${root}guides`, 'Guides', half === 'guides')}${link(
    root === 'docs/' ? 'docs' : `${root}../docs`,
    'API reference',
    half === 'reference',
  )}</nav>
<search><form action="${root}search"><input type="search" name="q" value="${escapeHtml(asked)}" placeholder="Search guides and API" aria-label="Search guides and API" maxlength="100" required></form></search>${more}</header>`
}
