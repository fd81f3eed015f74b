/** What a page or a table in HTML begins with, behind declarations and comments. Documents in XML have other roots. */
export const HTML_ROOT = /^(?:<[?!][^>]*>|\s)*<(?:html|head|meta|title|style|body|center|div|font|table)[\s>]/i
