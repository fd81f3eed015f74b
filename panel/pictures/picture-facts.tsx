import './words.ts'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../words/format.ts'
import classes from './pictures.module.css'
import type { Picture } from './use-picture-list.ts'

/**
 * The variants that show a picture, by the address that stores read. null if nothing is known of it, or the product has
 * no variants.
 */
export type VariantsOf = (shown: string | null) => PictureVariants | null
export interface PictureVariants {
  /** The first variants that show it, by the options that distinguish them. */
  names: readonly string[]
  /** The number of variants that show it. */
  count: number
  isEvery: boolean
}

/** A picture's description in each language of the stores, and the variants that show it. */
export function PictureFacts({ picture, variants }: { picture: Picture; variants: PictureVariants | null }) {
  const { t } = useTranslation('pictures')
  const format = useFormats()
  return (
    <div className={classes.state}>
      {picture.alts.length === 0 ? null : picture.alts.every(({ text }) => text === null) ? (
        <p className={classes.quiet}>{t('alt.none')}</p>
      ) : (
        <ul className={classes.alts} aria-label={t('alt.title')}>
          {picture.alts.map(({ locale, text, found_in: foundIn, supplier }) => (
            <li key={locale}>
              <span className={classes.quiet}>{locale}: </span>
              {text === null ? (
                <span className={classes.quiet}>–</span>
              ) : (
                <>
                  <span dir="auto" lang={foundIn ?? undefined} title={text} className={classes.alt}>
                    {text}
                  </span>
                  <small className={classes.quiet}>
                    {[
                      supplier === null ? t('alt.own') : t('from', { suppliers: supplier }),
                      ...(foundIn === null || foundIn === locale ? [] : [foundIn]),
                    ].join(' · ')}
                  </small>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {variants === null ? null : (
        <p className={classes.quiet} dir="auto">
          {variants.isEvery
            ? t('variants.every')
            : variants.count > variants.names.length
              ? t('variants.some', { count: variants.count, names: format.list([...variants.names]) })
              : t('variants.these', { names: format.list([...variants.names]) })}
        </p>
      )}
    </div>
  )
}
