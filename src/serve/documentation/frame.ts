import { escapeHtml } from '../../platform/text/escape-html.ts'

// The frame of every page of the documentation. Its links are relative, so that they also work behind a proxy that adds a path.

export interface Frame {
  title: string
  /** Relative path from this page to /docs/. */
  root: string
  /** Whether the page needs the script of the reference, which sends requests to the service. */
  hasScript?: boolean
  body: string
}

/** The HTML of a page. */
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

/** The half of the documentation that a page is in; null: neither (start page, search). */
export type Half = 'guides' | 'reference' | null

/**
 * @param asked the text in the search field.
 * @param more HTML at the end of the header.
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
