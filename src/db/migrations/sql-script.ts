/**
 * Parts in which a semicolon does not end a statement: comments, quoted texts and names, and texts between dollar quotes. Otherwise
 * matches a semicolon.
 */
const QUOTED = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|;/g

/**
 * The statements of a plain SQL script, without the semicolons between them. They are sent one by one, because Citus would pass the
 * whole text to the workers for each statement in it. Escapes with a backslash (E'\'') and nested comments are not supported.
 */
export function statementsOfScript(script: string): string[] {
  const statements: string[] = []
  let from = 0
  for (const match of script.matchAll(QUOTED)) {
    if (match[0] !== ';') continue
    statements.push(script.slice(from, match.index))
    from = match.index + 1
  }
  statements.push(script.slice(from))
  return statements
    .map((text) => text.trim())
    .filter((text) => text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== '')
}
