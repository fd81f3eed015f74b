import './words.ts'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/client.ts'
import { asProblem } from '../api/problem.ts'
import { useRefreshAccount } from '../api/read.ts'
import { Conflict } from '../components/conflict.tsx'
import { Loaded } from '../components/loaded.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { Section } from '../components/page.tsx'
import { showMessage } from '../components/messages.tsx'
import { useAccount } from '../session/account.ts'
import { Adding, type Refused } from './adding.tsx'
import { PictureList, Thumbnail } from './picture-list.tsx'
import { PictureFacts, type VariantsOf } from './picture-facts.tsx'
import { nameOf, PictureState } from './picture-state.tsx'
import classes from './pictures.module.css'
import { UploadList } from './upload-list.tsx'
import { ListConflict, usePictureList, type OwnList, type Picture } from './use-picture-list.ts'
import { useUploads } from './use-uploads.ts'

/** The pictures of a product in their order, with actions to move, leave out, restore and add them. */
export function ProductPictures({
  productId,
  describe,
  variantsOf,
}: {
  productId: number
  /** Opens the form for the picture's description. */
  describe: (picture: Picture) => void
  /** The variants of the group that show the picture, by the options that distinguish them. */
  variantsOf: VariantsOf
}) {
  const { t } = useTranslation('pictures')
  const account = useAccount()
  const pictures = usePictureList(account.id, productId)
  const { query, data, order, own, change, error } = pictures
  const now = useRef<readonly string[]>(order)
  useEffect(() => {
    now.current = order
  })
  const add = (url: string) => {
    if (now.current.includes(url)) return
    const next = [...now.current, url]
    // several files may be stored before the page has rendered the first
    now.current = next
    change(next)
  }
  // an address that the service refuses is marked where it was entered, and the other changes are saved
  const [refused, setRefused] = useState<Refused | null>(null)
  const isKnown = (url: string) => data?.pictures.some((picture) => picture.url === url) === true
  const fault = error === null ? undefined : faultOf(error, order)
  useEffect(() => {
    if (fault === undefined || isKnown(fault.url)) return
    setRefused(fault)
    pictures.giveUp(fault.url)
    // runs once for each refusal
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [error])
  const uploads = useUploads(account.id, add)
  const [isOver, setOver] = useState(false)
  usePastedFiles(uploads.add)
  const known = new Map(data?.pictures.map((picture) => [picture.url, picture]))
  const shown = order.map((url) => known.get(url) ?? newPicture(url))
  const left = (data?.pictures ?? []).filter(({ url }) => !order.includes(url))
  const say = (list: OwnList) =>
    list === null ? t('ofSuppliers') : `${t('count', { count: list.length })}: ${list.map(nameOf).join(', ')}`
  return (
    <Section
      title={t('title')}
      note={
        own === null
          ? (data?.supplier ?? null) === null
            ? t('note')
            : t('noteSupplier', { supplier: data?.supplier ?? '' })
          : t('noteOwn')
      }
      actions={
        <>
          <span role="status" className={classes.quiet}>
            {pictures.isSaving && error === null ? t('saving') : ''}
          </span>
          <Button variant="default" size="compact-sm" disabled={!pictures.canUndo} onClick={pictures.undo}>
            {t('undo')}
          </Button>
          <Button variant="default" size="compact-sm" disabled={own === null} onClick={() => change(null)}>
            {t('reset')}
          </Button>
        </>
      }
    >
      <Loaded query={query} lines={4}>
        {() => (
          <div
            data-drop="pictures"
            className={`${classes.zone} ${isOver ? classes.over : ''}`}
            onDragOver={(event) => {
              if (!event.dataTransfer.types.includes('Files')) return
              event.preventDefault()
              setOver(true)
            }}
            onDragLeave={(event) => {
              if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
            }}
            onDrop={(event) => {
              event.preventDefault()
              setOver(false)
              uploads.add([...event.dataTransfer.files])
            }}
          >
            {error instanceof ListConflict ? (
              <Conflict
                differences={[{ name: t('title'), theirs: say(error.theirs), mine: say(own) }]}
                takeTheirs={pictures.takeTheirs}
                keepMine={() => pictures.keepMine(error.theirs)}
              />
            ) : error === null ? null : (
              <div className={classes.problem}>
                <ProblemNote error={error} retry={pictures.retry} faults={asProblem(error).faults} />
                <Button variant="default" size="compact-sm" onClick={() => void pictures.takeTheirs()}>
                  {t('giveUp')}
                </Button>
              </div>
            )}
            {shown.length === 0 ? <p className={classes.quiet}>{t('none')}</p> : null}
            <PictureList
              pictures={shown}
              reorder={change}
              variantsOf={variantsOf}
              actions={(picture, number) => (
                <>
                  {known.has(picture.url) ? (
                    <Button
                      variant="default"
                      size="compact-xs"
                      aria-label={t('describeOf', { number })}
                      onClick={() => describe(picture)}
                    >
                      {t('describe')}
                    </Button>
                  ) : null}
                  <Button
                    variant="default"
                    size="compact-xs"
                    aria-label={t('leaveOutOf', { number })}
                    onClick={() => change(order.filter((url) => url !== picture.url))}
                  >
                    {t('leaveOut')}
                  </Button>
                  {picture.state === 'mirrored' && !picture.is_uploaded && picture.looks > 0 ? (
                    <AdoptButton url={picture.url} number={number} />
                  ) : null}
                </>
              )}
            />
            <UploadList {...uploads} />
            <Adding addFiles={uploads.add} refused={refused} add={add} forget={() => setRefused(null)} />
            <LeftOut pictures={left} add={add} />
          </div>
        )}
      </Loaded>
    </Section>
  )
}

/** Pictures that suppliers have and that the product does not show. */
function LeftOut({ pictures, add }: { pictures: readonly Picture[]; add: (url: string) => void }) {
  const { t } = useTranslation('pictures')
  if (pictures.length === 0) return null
  return (
    <>
      <h3 className={classes.leftTitle}>{t('left')}</h3>
      <ul className={classes.list} aria-label={t('left')}>
        {pictures.map((picture) => (
          <li key={picture.url} className={`${classes.card} ${classes.leftOut}`}>
            <Thumbnail picture={picture} alt={t('pictureOf', { name: nameOf(picture.url) })} />
            <PictureState picture={picture} />
            <PictureFacts picture={picture} variants={null} />
            <div className={classes.actions}>
              <Button
                variant="default"
                size="compact-xs"
                aria-label={t('bringBackOf', { name: nameOf(picture.url) })}
                onClick={() => add(picture.url)}
              >
                {t('bringBack')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

/** A button that adopts our copy of a picture: it is kept even if the source removes it. */
function AdoptButton({ url, number }: { url: string; number: number }) {
  const { t } = useTranslation('pictures')
  const account = useAccount()
  const refresh = useRefreshAccount()
  const adopt = useMutation({
    mutationFn: async () => {
      await call('POST /v1/account/images/adopt', { accountId: account.id, body: { image: url } })
      showMessage(t('adopted'))
      await refresh()
    },
  })
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        aria-label={t('adoptOf', { number })}
        title={t('adoptHint')}
        onClick={() => adopt.mutate()}
      >
        {t('adopt')}
      </Button>
      <ProblemNote error={adopt.error} />
    </>
  )
}

/** The address at fault: `images.3` is the fourth of the list. */
function faultOf(error: unknown, order: readonly string[]): Refused | undefined {
  for (const { name, reason } of asProblem(error).faults) {
    const url = order[Number(/^images\.(\d+)$/.exec(name)?.[1])]
    if (url !== undefined) return { url, reason }
  }
  return undefined
}

/** Adds files that are pasted anywhere on the page, except into a field. */
function usePastedFiles(add: (files: readonly File[]) => void): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      const isInField = event.target instanceof Element && event.target.closest('input, textarea') !== null
      if (files.length === 0 || isInField) return
      event.preventDefault()
      add(files)
    }
    window.addEventListener('paste', paste)
    return () => window.removeEventListener('paste', paste)
  }, [add])
}

/** A picture that was just added; the service returns its details once it is saved. */
function newPicture(url: string): Picture {
  return {
    url,
    is_listed: true,
    suppliers: [],
    state: 'pending',
    reason: null,
    shown: url,
    type: null,
    width: null,
    height: null,
    bytes: null,
    alts: [],
    is_uploaded: false,
    is_adopted: false,
    looks: 0,
    reasons: [],
    failed_since: null,
    fetched_at: null,
    next_fetch_at: null,
  }
}
