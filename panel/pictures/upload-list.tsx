import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { asProblem } from '../api/problem.ts'
import { useProblemWords } from '../components/problem-note.tsx'
import { StateMark } from '../components/state-mark.tsx'
import { useFormats } from '../words/format.ts'
import classes from './pictures.module.css'
import { TooLarge, type Upload } from './use-uploads.ts'

/** Files that are being uploaded, and those that were refused, with the reason. */
export function UploadList({
  uploads,
  again,
  forget,
}: {
  uploads: readonly Upload[]
  again: (upload: Upload) => void
  forget: (id: number) => void
}) {
  const { t } = useTranslation('pictures')
  if (uploads.length === 0) return null
  return (
    <ul className={classes.uploads} aria-label={t('uploads')}>
      {uploads.map((upload) => (
        <li key={upload.id}>
          <span className={classes.file} dir="auto">
            {upload.file.name}
          </span>
          {upload.state === 'failed' ? (
            <Refusal upload={upload} again={() => again(upload)} forget={() => forget(upload.id)} />
          ) : (
            <Progress upload={upload} />
          )}
        </li>
      ))}
    </ul>
  )
}

function Progress({ upload: { state, sent, file } }: { upload: Upload }) {
  const { t } = useTranslation('pictures')
  const format = useFormats()
  if (state === 'waiting') return <StateMark tone="busy">{t('upload.waiting')}</StateMark>
  return (
    <>
      <progress aria-label={t('upload.of', { name: file.name })} value={sent} max={1} />
      <span className={classes.quiet}>
        {sent < 1 ? `${format.number(Math.round(sent * 100))} %` : t('upload.checking')}
      </span>
    </>
  )
}

function Refusal({ upload: { error }, again, forget }: { upload: Upload; again: () => void; forget: () => void }) {
  const { t } = useTranslation('pictures')
  const words = useProblemWords(error)
  const { faults, isPassing } = asProblem(error)
  const reason =
    error instanceof TooLarge
      ? t('upload.tooLarge')
      : faults.length > 0
        ? faults.map((fault) => fault.reason).join('; ')
        : `${words.title}. ${words.text}`
  return (
    <>
      <span role="alert">
        <StateMark tone="bad">{t('upload.refused', { reason })}</StateMark>
      </span>
      {isPassing && !(error instanceof TooLarge) ? (
        <Button variant="default" size="compact-xs" onClick={again}>
          {t('upload.again')}
        </Button>
      ) : null}
      <Button variant="default" size="compact-xs" onClick={forget}>
        {t('upload.forget')}
      </Button>
    </>
  )
}
