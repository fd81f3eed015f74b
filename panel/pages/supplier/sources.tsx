import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useNewestRuns } from '../../api/runs.ts'
import { useSources, type Source } from '../../api/sources.ts'
import { Empty } from '../../components/loaded.tsx'
import type { Column } from '../../components/list.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { Section } from '../../components/page.tsx'
import { SidePanel } from '../../components/dialog.tsx'
import { nameColumn, plainColumn } from '../../resources/columns.tsx'
import { useAccount } from '../../session/account.ts'
import { useScheduleWords } from './schedule-field.tsx'
import type { SupplierSearch } from './search.ts'
import { NewSource } from './source-form.tsx'
import { SourcePanel } from './source-panel.tsx'
import { SourceState } from './source-words.tsx'

const LIVE_MS = 5_000
const PAGE = '/signed/$account/suppliers/$supplier'

/** The sources of a supplier's files and their schedules. */
export function SourcesTab({ code }: { code: string }) {
  const { t } = useTranslation('sources')
  const account = useAccount()
  const navigate = useNavigate()
  const search = useSearch({ from: PAGE })
  const go = (changes: SupplierSearch, isStep = false) =>
    void navigate({ to: '.', search: { tab: search.tab, ...changes }, replace: !isStep, resetScroll: false })
  const sources = useSources({ accountId: account.id, code }, { everyMs: LIVE_MS })
  const runs = useNewestRuns(account.id, code) ?? []
  const scheduleOf = useScheduleWords()
  const columns: Column<Source>[] = [
    { ...nameColumn<Source>('name', t('fields.name'), (source) => source.name), width: '17%' },
    {
      id: 'state',
      title: t('state'),
      isWide: true,
      sortBy: (source) => source.status.failures,
      cell: (source) => <SourceState source={source} runs={runs} />,
    },
    plainColumn<Source>('schedule', t('schedule.title'), '24%', (source) =>
      source.kind === 'upload' ? '' : scheduleOf(source),
    ),
    plainColumn<Source>('mode', t('fields.mode'), '12%', (source) => t(`modes.${source.mode}`)),
  ]
  const create = <Button onClick={() => go({ new: true }, true)}>{t('create')}</Button>
  return (
    <Section title={t('title')} note={t('lead')} isFlush actions={sources.data?.length === 0 ? undefined : create}>
      <ReadList
        query={sources}
        label={t('title')}
        columns={columns}
        rows={sources.data}
        keyOf={(source) => source.name}
        open={(source) => go({ open: source.name }, true)}
        openKey={search.open ?? null}
        phoneLine={(source) => <SourceState source={source} runs={runs} />}
        empty={
          <Empty action={create} headings={columns.slice(0, 4).map(({ title }) => title)}>
            {t('none')}
          </Empty>
        }
        isInSection
      />
      {search.new === true ? (
        <SidePanel title={t('create')} close={() => go({})}>
          <NewSource
            of={{ accountId: account.id, code }}
            made={(source, isToBeMapped) =>
              isToBeMapped
                ? void navigate({
                    to: `/${account.id}/suppliers/${code}/import`,
                    search: { source: source.name } as never,
                  })
                : go({ open: source.name })
            }
          />
        </SidePanel>
      ) : null}
      {search.open === undefined ? null : (
        <SourcePanel
          key={search.open}
          of={{ accountId: account.id, code }}
          name={search.open}
          isEdited={search.edit === true}
          runs={runs}
          edit={(isEdited) => go({ open: search.open, ...(isEdited ? { edit: true } : {}) })}
          close={() => go({})}
        />
      )}
    </Section>
  )
}
