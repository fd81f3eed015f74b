import { Button } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useReadPages } from '../../api/read-pages.ts'
import { useRead } from '../../api/read.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { SidePanel } from '../../components/dialog.tsx'
import { Facts } from '../../components/facts.tsx'
import { Filters } from '../../components/filters.tsx'
import type { Column } from '../../components/list.tsx'
import { Empty } from '../../components/loaded.tsx'
import { Page, Section } from '../../components/page.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { StateMark, type Tone } from '../../components/state-mark.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { addWords } from '../../words/add-words.ts'
import tokensWords from '../../words/en/tokens.json'
import { useFormats } from '../../words/format.ts'
import type { TokenSearch } from './search.ts'
import classes from './token.module.css'
import { accessOf, TONES } from './token-state.ts'

addWords({ tokens: tokensWords })

type TokenRequest = Answer<'GET /panel/api/accounts/{account_id}/tokens/{token_id}/requests'>['data'][number]

const LIVE_MS = 3_000
/** With more pages than this the list is not refreshed, because the reader is looking at old requests. */
const LIVE_PAGES = 2

const toneOf = ({ status }: TokenRequest): Tone => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good')

/** One token: its details and its requests. */
export function TokenPage() {
  const { t } = useTranslation(['tokens', 'shared'])
  const account = useAccount()
  const params = useAccountParams()
  const { token: id } = useParams({ from: '/signed/$account/tokens/$token' })
  const tokens = useRead('GET /panel/api/accounts/{account_id}/tokens', { params })
  const token = tokens.data?.data.find((one) => String(one.id) === id)
  return (
    <Page title={token?.name ?? t('title')} above={{ to: `/${account.id}/tokens`, label: t('above') }}>
      {token === undefined ? null : (
        <div className={classes.facts}>
          <Facts
            facts={[
              [
                t('state'),
                <StateMark key="state" tone={TONES[token.state]}>
                  {t(`states.${token.state}`)}
                </StateMark>,
              ],
              [t('accessTitle'), t(`access.${accessOf(token)}`)],
              [t('used'), <RelativeTime key="used" at={token.last_used_at} empty={t('shared:never')} />],
            ]}
          />
        </div>
      )}
      <Requests key={id} params={{ ...params, token_id: Number(id) }} />
    </Page>
  )
}

/** The latest requests with the token, refreshed automatically. */
function Requests({ params }: { params: { account_id: number; token_id: number } }) {
  const { t } = useTranslation(['tokens', 'shared'])
  const search = useSearch({ from: '/signed/$account/tokens/$token' })
  const navigate = useNavigate()
  const requests = useReadPages(
    'GET /panel/api/accounts/{account_id}/tokens/{token_id}/requests',
    { params, query: { failed: search.failed === true } },
    { every: ({ length }) => (length <= LIVE_PAGES ? LIVE_MS : false) },
  )
  const columns = useColumns()
  const change = (changes: TokenSearch) =>
    void navigate({
      to: '.',
      search: { ...search, ...changes },
      // opening a row is a step in the history, changing the filter is not
      replace: !('request' in changes),
      resetScroll: false,
    })
  const open = requests.rows?.find((row) => row.id === search.request)
  return (
    <Section
      title={t('requests.title')}
      note={t('requests.note')}
      isFlush
      actions={
        <Filters
          filters={[
            {
              name: 'failed',
              label: t('requests.answer'),
              value: search.failed === true ? 'failed' : undefined,
              options: [{ value: 'failed', label: t('requests.failed') }],
            },
          ]}
          change={(_, value) => change({ failed: value === undefined ? undefined : true })}
        />
      }
    >
      <ReadList
        isInSection
        query={requests.query}
        label={t('requests.title')}
        columns={columns}
        rows={requests.rows}
        keyOf={(row) => row.id}
        open={(row) => change({ request: row.id })}
        openKey={search.request ?? null}
        phoneLine={(row) => (
          <>
            <RelativeTime at={row.at} /> · {row.code ?? row.status}
          </>
        )}
        empty={
          search.failed === true ? (
            <Empty
              action={
                <Button variant="default" onClick={() => change({ failed: undefined })}>
                  {t('shared:clear')}
                </Button>
              }
            >
              {t('requests.noneFailed')}
            </Empty>
          ) : (
            <Empty headings={columns.map(({ title }) => title)}>{t('requests.none')}</Empty>
          )
        }
      />
      {open === undefined ? null : <RequestPanel request={open} close={() => change({ request: undefined })} />}
    </Section>
  )
}

function RequestPanel({ request, close }: { request: TokenRequest; close: () => void }) {
  const { t } = useTranslation('tokens')
  const format = useFormats()
  return (
    <SidePanel title={`${request.method} ${request.route ?? request.address}`} close={close}>
      <Facts
        facts={[
          [
            t('requests.answer'),
            <StateMark key="answer" tone={toneOf(request)}>
              {answerOf(request)}
            </StateMark>,
          ],
          [t('requests.duration'), format.duration(request.duration_ms)],
          [t('requests.at'), format.exact(new Date(request.at))],
          [t('requests.route'), request.route ?? t('requests.noRoute')],
        ]}
      />
      <div className={classes.codes}>
        <CodeBlock title={t('requests.request')} code={`${request.method} ${request.address}`} wraps />
        <CodeBlock title={t('requests.id')} code={request.request_id} wraps />
      </div>
      {request.left_out === 0 ? null : <p>{t('requests.leftOut', { count: request.left_out })}</p>}
    </SidePanel>
  )
}

const answerOf = ({ status, code }: TokenRequest) => (code === null ? String(status) : `${status} ${code}`)

function useColumns(): Column<TokenRequest>[] {
  const { t } = useTranslation('tokens')
  const format = useFormats()
  return useMemo(
    () => [
      {
        id: 'request',
        title: t('requests.request'),
        cell: (row) => (
          <span dir="ltr" title={row.address}>
            <span className={classes.method}>{row.method}</span> {row.address}
          </span>
        ),
      },
      {
        id: 'answer',
        title: t('requests.answer'),
        width: '24%',
        isWide: true,
        cell: (row) => <StateMark tone={toneOf(row)}>{answerOf(row)}</StateMark>,
      },
      {
        id: 'duration',
        title: t('requests.duration'),
        width: '12%',
        isNumber: true,
        isWide: true,
        cell: (row) => format.duration(row.duration_ms),
      },
      { id: 'at', title: t('requests.at'), width: '14%', isWide: true, cell: (row) => <RelativeTime at={row.at} /> },
    ],
    [t, format],
  )
}
