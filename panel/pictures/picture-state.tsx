import './words.ts'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { StateMark, type Tone } from '../components/state-mark.tsx'
import { Due, RelativeTime } from '../components/relative-time.tsx'
import { useFormats } from '../words/format.ts'
import classes from './pictures.module.css'
import type { Picture } from './use-picture-list.ts'

/** The state of a picture, its reason, and when it is tried again, in words. */
export function PictureState({ picture }: { picture: Picture }) {
  const { t } = useTranslation('pictures')
  const reasonWords = useReasonWords()
  const format = useFormats()
  const reason = picture.reason === null ? null : reasonWords(picture.reason)
  const size = useSize(picture)
  const { state, suppliers, is_uploaded: isUploaded, next_fetch_at: next, failed_since: since, shown, url } = picture
  const [tone, words] = stateOf(picture)
  const isTriedAgain = next !== null && reason !== null
  return (
    <div className={classes.state}>
      <StateMark tone={tone}>{t(`state.${words}`)}</StateMark>
      {reason === null ? null : <p className={state === 'dead' ? classes.wrong : undefined}>{reason}</p>}
      {since === null || reason === null ? null : (
        <p>
          {t('looks', { count: picture.looks })} <RelativeTime at={since} />
        </p>
      )}
      {picture.reasons.length < 2 ? null : (
        <ul className={classes.reasons}>
          {picture.reasons.map(({ reason: name, looks }) => (
            <li key={name}>
              {format.number(looks)} × {reasonWords(name)}
            </li>
          ))}
        </ul>
      )}
      {isTriedAgain ? (
        <p>
          {t('again')} <Due at={next} />
        </p>
      ) : null}
      <p className={classes.quiet}>
        {isUploaded
          ? t(picture.is_adopted ? 'adopted' : 'uploaded')
          : suppliers.length > 0
            ? t('from', { suppliers: suppliers.join(', ') })
            : t('byAddress')}
        {size === null ? null : ` · ${size}`}
      </p>
      <a href={shown ?? url} target="_blank" rel="noreferrer" className={classes.address} title={url}>
        {nameOf(url)}
      </a>
    </div>
  )
}

function stateOf({
  state,
  reason,
}: Picture): [Tone, 'waiting' | 'mirrored' | 'failing' | 'failed' | 'stale' | 'original'] {
  if (state === 'mirrored') return reason === null ? ['good', 'mirrored'] : ['warn', 'stale']
  if (state === 'dead') return ['bad', 'failed']
  if (state === 'original') return ['off', 'original']
  return reason === null ? ['busy', 'waiting'] : ['warn', 'failing']
}

/** Reasons in words; codes without a translation are shown as they are. */
export function useReasonWords(): (reason: string) => string {
  const { t } = useTranslation('pictures')
  return (reason) => {
    const status = /^http_(\d+)$/.exec(reason)?.[1]
    if (status !== undefined) return t('reason.http', { status })
    return i18next.exists(`pictures:reason.${reason}`)
      ? t(`reason.${reason}` as 'reason.not_found')
      : t('reason.other', { reason })
  }
}

function useSize({ type, width, height, bytes }: Picture): string | null {
  const format = useFormats()
  if (width === null || height === null || bytes === null) return null
  const size =
    bytes < 100_000
      ? `${format.number(Math.ceil(bytes / 1_000))} kB`
      : `${format.number(Math.round(bytes / 100_000) / 10)} MB`
  const kind = type === null ? '' : `${nameOfType(type)}, `
  return `${kind}${format.number(width)} × ${format.number(height)}, ${size}`
}

/** A media type as people call it: `image/svg+xml` is SVG. */
const nameOfType = (type: string) => (/^image\/([^+;]+)/.exec(type)?.[1] ?? type).toUpperCase()

/** The last part of an address, as the picture's name. */
export function nameOf(url: string): string {
  const name =
    url
      .split(/[?#]/)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? url
  // our own copies are named by their hash
  if (/^[0-9a-f]{64}\./.test(name)) return `${name.slice(0, 8)}…${name.slice(64)}`
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
