/** The beginning of an HTML page or table, after declarations and comments. XML documents have other roots. */
export const HTML_ROOT = /^(?:<[?!][^>]*>|\s)*<(?:html|head|meta|title|style|body|center|div|font|table)[\s>]/i
