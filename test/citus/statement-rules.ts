import ts from 'typescript'

// Statements that Citus refuses or treats differently, as far as their text shows it. The tests on a cluster find the rest.

/** An SQL template of a source file. Parameters are written as `$1`, nested templates are inserted. */
export interface Statement {
  line: number
  text: string
  /** Whether the number of rows that the server reports (`.count`) is used. */
  isCounted: boolean
}

/** Functions that return a part of a statement, by name: `const columns = (reader: Reader) => reader`…``. */
export type Fragments = ReadonlyMap<string, ts.TemplateLiteral>

export function fragmentsOf(file: string, source: string): [string, ts.TemplateLiteral][] {
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const found: [string, ts.TemplateLiteral][] = []
  const visit = (node: ts.Node) => {
    if (
      ts.isVariableDeclaration(node) &&
      ts.isIdentifier(node.name) &&
      node.initializer !== undefined &&
      ts.isArrowFunction(node.initializer) &&
      ts.isTaggedTemplateExpression(node.initializer.body)
    )
      found.push([node.name.text, node.initializer.body.template])
    ts.forEachChild(node, visit)
  }
  visit(root)
  return found
}

/** All SQL templates of a source file, with the fragments of this and other files that they call inserted. */
export function statementsOf(file: string, source: string, others: Fragments = new Map()): Statement[] {
  const fragments = new Map([...others, ...fragmentsOf(file, source)])
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const found: Statement[] = []
  const visit = (node: ts.Node) => {
    if (ts.isTaggedTemplateExpression(node) && !isInsideOfAnother(node)) {
      found.push({
        line: root.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        text: textOf(node.template, fragments).replaceAll(/\s+/g, ' ').trim(),
        isCounted: isCounted(node),
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(root)
  return found
}

function textOf(template: ts.TemplateLiteral, fragments: Fragments): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text
  return template.templateSpans.reduce(
    (text, span) => text + insertedText(span.expression, fragments) + span.literal.text,
    template.head.text,
  )
}

function insertedText(expression: ts.Expression, fragments: Fragments): string {
  if (ts.isTaggedTemplateExpression(expression)) return textOf(expression.template, fragments)
  if (!ts.isCallExpression(expression) || !ts.isIdentifier(expression.expression)) return '$1'
  const fragment = fragments.get(expression.expression.text)
  return fragment === undefined ? '$1' : textOf(fragment, fragments)
}

function isInsideOfAnother(node: ts.Node): boolean {
  return ts.isTemplateSpan(node.parent)
}

/** Whether a template is `const rows = await tx`…`` in a function that reads `rows.count`. */
function isCounted(node: ts.Node): boolean {
  let at = node.parent
  while (ts.isAwaitExpression(at) || ts.isParenthesizedExpression(at)) at = at.parent
  if (!ts.isVariableDeclaration(at) || !ts.isIdentifier(at.name)) return false
  let body: ts.Node = at
  while (!ts.isFunctionLike(body) && !ts.isSourceFile(body)) body = body.parent
  return new RegExp(`\\b${at.name.text}\\.count\\b`).test(body.getText())
}

const VOLATILE = /\b(clock_timestamp|timeofday|random|gen_random_uuid|nextval)\(/
const PRESENT = '(?:now|statement_timestamp)\\(\\)'
const REFERENCE_TABLES = '(?:account|token|channel_file)'

/** The fault of a statement on Citus; null if none is visible. */
export function faultOf({ text, isCounted: counted }: Statement): string | null {
  // a subquery is evaluated first, so it becomes a constant
  const plain = text.toLowerCase().replaceAll(new RegExp(`\\(select ${PRESENT}\\)`, 'g'), '$1')
  for (const [, onConflict, , assignments = ''] of plain.matchAll(
    /(do )?update (?:(\w+)(?: \w+)? )?set (.*?)(?=\breturning\b|$)/g,
  )) {
    if (VOLATILE.test(assignments))
      return 'a volatile function in an UPDATE is refused: statement_timestamp(), or compute it first'
    if (onConflict !== undefined && new RegExp(PRESENT).test(assignments))
      return 'now() in ON CONFLICT DO UPDATE is refused: insert it, and use excluded'
    if (
      new RegExp(`\\bcoalesce\\([^()]*${PRESENT}`).test(assignments) ||
      new RegExp(`\\bcase\\b(?:(?!\\bend\\b).)*${PRESENT}`).test(assignments)
    )
      return 'now() in COALESCE or CASE of an UPDATE is refused: (select now()), or greatest'
    if (/\b\w+_at [+-] (make_interval|interval)\b/.test(assignments.split(' where ')[0] ?? ''))
      return 'timestamptz and interval depend on the session, so with a column they are refused in an UPDATE: compute it in a select first'
  }
  for (const [, conditions = ''] of plain.matchAll(
    /(?:delete from \S+|update \S+(?: \w+)? set .*?)(?: \w+)? where (.*?)(?=\breturning\b|$)/g,
  )) {
    if (/^(?:\w+\.)?ctid\b/.test(conditions)) return 'ctid alone leads to no shard: account_id = … before it'
  }
  if (new RegExp(`\\breturning\\b.*${PRESENT}`).test(plain)) return 'now() in RETURNING is refused: compare in WHERE'
  if (new RegExp(`\\bfrom ${REFERENCE_TABLES}\\b[^()]*\\bfor (?:no key )?(?:update|share|key share)`).test(plain))
    return 'a row lock on a reference table keeps out the writers of the whole cluster'
  if (
    counted &&
    /\binsert into .* select .* on conflict .*(do nothing|do update set .* where)/.test(plain) &&
    !/\breturning\b/.test(plain)
  )
    return '.count of INSERT … SELECT … ON CONFLICT is the number of rows selected: returning 1, and count those'
  return null
}
