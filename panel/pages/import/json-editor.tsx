import { Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '../../components/page.tsx'
import { Unsaved } from '../../components/unsaved.ts'
import classes from './import.module.css'
import { isObject } from '../../resources/is-object.ts'
import { lineOf, type Doc, type Fault } from './mapping.ts'

/** The mapping as JSON, for members that the form does not show. Form and JSON edit the same mapping. */
export function JsonEditor({
  doc,
  change,
  faults,
}: {
  doc: Doc
  change: (doc: Doc) => void
  faults: readonly Fault[]
}) {
  const { t } = useTranslation('import')
  const [text, setText] = useState(() => JSON.stringify(doc, null, 2))
  const area = useRef<HTMLTextAreaElement>(null)
  const parsed = parse(text)
  // line numbers are only correct if the text has our layout
  const places = faults.map((fault) => ({
    ...fault,
    line: isObject(parsed.value) ? lineOf(parsed.value, fault.name) : 1,
  }))
  const isOurs = isObject(parsed.value) && JSON.stringify(parsed.value, null, 2) === text
  const goTo = (line: number) => {
    const start =
      text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0)
    const end = text.indexOf('\n', start)
    area.current?.focus()
    area.current?.setSelectionRange(start, end === -1 ? text.length : end)
  }
  return (
    <Section title={t('json.title')} note={t('json.note')}>
      <Unsaved when={!isObject(parsed.value)} />
      <Textarea
        ref={area}
        aria-label={t('json.title')}
        value={text}
        error={parsed.fault === undefined ? undefined : t('json.invalid', parsed.fault)}
        autosize
        minRows={12}
        maxRows={36}
        dir="ltr"
        spellCheck={false}
        classNames={{ input: classes.json ?? '' }}
        onChange={(event) => {
          const next = event.currentTarget.value
          setText(next)
          const { value } = parse(next)
          if (isObject(value)) change(value)
        }}
        onBlur={() => {
          // formats the text, so that line numbers of faults are correct
          if (isObject(parsed.value)) setText(JSON.stringify(parsed.value, null, 2))
        }}
      />
      {parsed.fault !== undefined || places.length === 0 ? null : (
        <ul className={classes.faults} role="alert">
          {places.map(({ name, reason, line }) => (
            <li key={`${name} ${reason}`}>
              <button type="button" className={classes.link} onClick={() => goTo(line)}>
                {isOurs ? t('json.at', { line, name }) : name}
              </button>{' '}
              {reason}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** The parsed text, or the position at which it is not JSON. */
function parse(text: string): { value?: unknown; fault?: { line: number; column: number; message: string } } {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? { value } : { value, fault: { line: 1, column: 1, message: '{ … }' } }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const position = /position (\d+)/.exec(message)?.[1]
    const before = text.slice(0, position === undefined ? text.length : Number(position)).split('\n')
    return { fault: { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message } }
  }
}
