import './words.ts'
import { Button } from '@mantine/core'
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { Empty } from '../../components/empty.tsx'
import { Kbd } from '../../components/kbd.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Page } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { Sheet as Surface } from '../../components/toolbar.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { useAccount } from '../../session/account.ts'
import { useSession } from '../../session/session.ts'
import { useFormats } from '../../words/format.ts'
import { ColumnMenu } from './column-menu.tsx'
import { useGridColumns } from './columns.ts'
import { FillDialog } from './fill-dialog.tsx'
import { FillProgress } from './fill-progress.tsx'
import classes from './grid.module.css'
import { Inspector } from './inspector.tsx'
import { draftsKey, keepDrafts, readDrafts } from './kept-drafts.ts'
import { SaveBar } from './save-bar.tsx'
import { wantedOf, type GridSearch } from './search.ts'
import { rangeOf, Sheet, type Chosen } from './sheet.tsx'
import { partsOf } from './sheet-state.ts'
import { useActions } from './use-actions.ts'
import { useFill } from './use-fill.ts'
import { useSaving } from './use-saving.ts'
import { ROWS_MAX, useSheet } from './use-sheet.ts'

const KEEP_MS = 400

/** Many products at once, as in a spreadsheet. */
export function GridPage() {
  const search = useSearch({ from: '/signed/$account/catalog/grid' })
  const { columns: _columns, ...products } = search
  // other products are another grid
  return <Grid key={JSON.stringify(products)} products={JSON.stringify(products)} search={search} />
}

function Grid({ products, search }: { products: string; search: GridSearch }) {
  const { t } = useTranslation('grid')
  const account = useAccount()
  const session = useSession()
  const navigate = useNavigate()
  const format = useFormats()
  const wanted = useMemo(() => wantedOf(JSON.parse(products) as GridSearch), [products])
  const { all, shown: columns, isReady, error: columnsError } = useGridColumns(search.columns)
  const keptAs = draftsKey(session.person.id, account.id, products)
  const kept = useCallback(() => readDrafts(keptAs), [keptAs])
  const { state, loading, retry } = useSheet(account.id, wanted, columns, isReady, kept)
  const version = useSyncExternalStore(state.subscribe, state.getVersion)
  const { saving, save, stop, undoSave } = useSaving(account.id, state)
  const [chosen, choose] = useState<Chosen>({ from: { row: 0, column: 0 }, at: { row: 0, column: 0 } })
  const [said, setSaid] = useState('')
  const [isKept, setKept] = useState(true)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const saveNow = () => void save()
  const actions = useActions(state, columns, setSaid, saveNow)
  const fill = useFill(account.id, wanted, state, columns, loading, actions, setSaid)
  const drafts = state.drafts.size
  const total = Math.min(loading.total ?? state.rows.length, ROWS_MAX)
  useEffect(() => {
    // before everything is read, what is kept may be about products that are still to come
    if (!loading.isDone) return undefined
    const timer = setTimeout(() => setKept(keepDrafts(keptAs, state.drafts)), KEEP_MS)
    return () => clearTimeout(timer)
  }, [state, version, keptAs, loading.isDone])
  useEffect(() => {
    const keep = () => {
      if (loading.isDone) keepDrafts(keptAs, state.drafts)
    }
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [state, keptAs, loading.isDone])
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      (state.drafts.size > 0 || saving.isRunning) &&
      current.pathname !== next.pathname &&
      !next.pathname.endsWith('/sign-in'),
    enableBeforeUnload: () => state.drafts.size > 0 || saving.isRunning,
    withResolver: true,
  })
  const error = columnsError ?? loading.error
  const row = state.rows[chosen.at.row]
  const range = rangeOf(chosen)
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      above={{ to: `/${account.id}/catalog`, label: t('above') }}
      actions={
        <>
          <Button variant="default" onClick={() => setHelpOpen(true)}>
            {t('keys.show')}
          </Button>
          <ColumnMenu
            all={all}
            shown={columns}
            choose={(names) =>
              void navigate({
                to: '.',
                search: (before: GridSearch) => ({ ...before, columns: names }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        </>
      }
    >
      {error === null || error === undefined ? null : <ProblemNote error={error} retry={retry} />}
      <div className={classes.bar}>
        <p className={classes.count} role="status">
          {loading.isDone
            ? loading.isCut
              ? t('cut', { max: format.number(ROWS_MAX) })
              : t('shown', { count: state.rows.length })
            : t('loading', { count: state.rows.length })}
        </p>
        <Button size="compact-sm" variant="default" disabled={!state.canUndo} onClick={actions.undo}>
          {t('undo')}
        </Button>
        <Button size="compact-sm" variant="default" disabled={!state.canRedo} onClick={actions.redo}>
          {t('redo')}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={state.rows.length === 0}
          onClick={() => fill.fillDown(range)}
        >
          {t('fillDown')}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={state.rows.length === 0}
          onClick={() => fill.reset(range)}
        >
          {t('reset')}
        </Button>
      </div>
      {fill.pending ? (
        <section className={classes.fillState} aria-label={t('fill.state')}>
          <StateMark tone="busy">{t('fill.pending')}</StateMark>
          <Button size="compact-sm" variant="default" onClick={fill.cancel}>
            {t('saving.stop')}
          </Button>
        </section>
      ) : null}
      {fill.begun === null ? null : (
        <FillProgress
          key={fill.begun.operationIds.join(' ')}
          accountId={account.id}
          state={state}
          {...fill.begun}
          forget={fill.forget}
        />
      )}
      {state.rows.length > 0 && columns.length > 0 ? (
        <>
          <Inspector state={state} row={row} column={columns[chosen.at.column]} />
          <Sheet
            state={state}
            columns={columns}
            total={Math.max(total, state.rows.length)}
            chosen={chosen}
            choose={choose}
            actions={{ ...actions, fillDown: fill.fillDown, reset: fill.reset }}
          />
        </>
      ) : loading.isDone ? (
        <Surface>
          <Empty action={<LinkButton to={`/${account.id}/catalog`}>{t('above')}</LinkButton>}>{t('none')}</Empty>
        </Surface>
      ) : error === null || error === undefined ? (
        <Surface>
          <Waiting lines={12} />
        </Surface>
      ) : null}
      <SaveBar
        saving={saving}
        drafts={drafts}
        save={saveNow}
        stop={stop}
        undoSave={() => void undoSave()}
        discard={() => {
          state.write([...state.drafts].map(([key]) => ({ ...partsOf(key), value: ownOf(key) })))
          setSaid(t('discarded'))
        }}
      />
      <div role="status" className={classes.said}>
        {said}
      </div>
      {fill.asked === null ? null : <FillDialog fill={fill} asked={fill.asked} />}
      {isHelpOpen ? <KeysHelp close={() => setHelpOpen(false)} /> : null}
      {blocker.status === 'blocked' ? (
        <Dialog title={t('leave.title', { count: drafts })} close={blocker.reset}>
          <p>{t(isKept ? 'leave.text' : 'leave.lost')}</p>
          <div className={`${classes.buttons} ${classes.below}`}>
            <Button variant="default" onClick={blocker.proceed}>
              {t('leave.go')}
            </Button>
            <Button onClick={blocker.reset} data-autofocus>
              {t('leave.stay')}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </Page>
  )

  function ownOf(key: string) {
    const { id, column } = partsOf(key)
    return state.cell(id, column).own
  }
}

const KEYS = [
  ['arrows', ['←', '↑', '→', '↓']],
  ['edit', ['Enter', 'F2']],
  ['cancel', ['Esc']],
  ['reset', ['Del']],
  ['copy', ['Ctrl+C', 'Ctrl+V']],
  ['fill', ['Ctrl+D']],
  ['undo', ['Ctrl+Z', 'Ctrl+Y']],
  ['save', ['Ctrl+S']],
] as const

function KeysHelp({ close }: { close: () => void }) {
  const { t } = useTranslation('grid')
  return (
    <Dialog title={t('keys.title')} close={close}>
      <dl className={classes.keys}>
        {KEYS.map(([name, keys]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{t(`keys.${name}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
