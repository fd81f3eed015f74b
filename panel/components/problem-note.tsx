import { Button } from '@mantine/core'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { asProblem } from '../api/problem.ts'
import { faultWords } from '../words/faults.ts'
import classes from './problem-note.module.css'

export interface ProblemNoteProps {
  /** null: nothing is shown. */
  error: unknown
  /** If set, a button repeats the action, unless it would fail again (not found, not allowed). */
  retry?: () => void
  /** Faults that no field shows. */
  faults?: readonly { name: string; reason: string }[]
  /** Advice by error code, which replaces the general advice on this page. */
  texts?: Readonly<Record<string, string>>
}

/** An error: what happened, what it means, and what to do. */
export function ProblemNote(props: ProblemNoteProps) {
  return props.error === null ? null : <Note {...props} />
}

function Note({ error, retry, faults = [], texts = {} }: ProblemNoteProps) {
  const { t } = useTranslation()
  const words = useProblemWords(error)
  return (
    <div className={classes.note} role="alert">
      <strong>{words.title}</strong>
      <p>{texts[asProblem(error).code] ?? words.text}</p>
      {faults.length === 0 ? null : (
        <ul>
          {faults.map(({ name, reason }) => (
            <li key={`${name} ${reason}`}>
              {name}: {reason}
            </li>
          ))}
        </ul>
      )}
      {retry === undefined || !asProblem(error).isPassing ? null : (
        <div className={classes.actions}>
          <Button variant="default" size="xs" onClick={retry}>
            {t('retry')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Title and text of a problem: translated if its code has a translation, otherwise the service's own. */
export function useProblemWords(error: unknown): { title: string; text: string } {
  const { t } = useTranslation('problems')
  const problem = asProblem(error)
  const has = (key: string) => i18next.exists(`problems:${key}`)
  // the keys are codes of the service, and only some of them have a translation
  const say = (key: string, values: Record<string, unknown>) => t(key as 'unreachable.title', values)
  const values = { seconds: problem.retryAfter ?? 60 }
  return {
    title: has(`${problem.code}.title`) ? say(`${problem.code}.title`, values) : problem.title || t('other'),
    text: has(`${problem.code}.text`) ? say(`${problem.code}.text`, values) : faultWords(problem.sentence),
  }
}
