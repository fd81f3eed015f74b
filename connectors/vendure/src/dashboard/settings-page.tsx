import type { Report, ShopSettings } from '@shelfwire/client/shop'
import { api, Badge, Button, Page, PageBlock, PageLayout, PageTitle } from '@vendure/dashboard'
import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { ReportOf } from './report.tsx'

/** How often the open page loads its data again. */
const EVERY_MS = 3_000

const SETTINGS = 'query { shelfwireSettings }'
const FOLLOW = 'mutation { shelfwireFollow }'
const VERIFY = 'mutation($repair: Boolean!) { shelfwireVerify(repair: $repair) }'

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The page of the connector in the shop's settings: how it is set up, how far it is, and what went wrong. */
export function SettingsPage(): ReactNode {
  const [settings, setSettings] = useState<ShopSettings | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const look = useCallback(async () => {
    try {
      const answer = (await api.query(SETTINGS)) as { shelfwireSettings: ShopSettings }
      setSettings(answer.shelfwireSettings)
      setProblem(null)
    } catch (error) {
      setProblem(messageOf(error))
    }
  }, [])
  useEffect(() => {
    void look()
    const timer = setInterval(() => void look(), EVERY_MS)
    return () => clearInterval(timer)
  }, [look])
  return (
    <Page pageId="shelfwire">
      <PageTitle>Shelfwire</PageTitle>
      <PageLayout>
        <PageBlock column="main" blockId="shelfwire-stores" title="Stores">
          {problem !== null && <p role="alert">{problem}</p>}
          {settings === null ? problem === null && 'Loading' : <Stores stores={settings.stores} />}
        </PageBlock>
        <PageBlock column="main" blockId="shelfwire-compare" title="Compare and mend">
          <Actions onDone={look} />
        </PageBlock>
        <PageBlock column="main" blockId="shelfwire-refused" title="Refused by the shop">
          {settings !== null && <Refused refused={settings.refused} count={settings.refused_count} />}
        </PageBlock>
        <PageBlock column="side" blockId="shelfwire-connection" title="Connection">
          {settings !== null && <Connection settings={settings} />}
        </PageBlock>
        <PageBlock column="side" blockId="shelfwire-owned" title="Left to the shop">
          {settings !== null && <Owned settings={settings} />}
        </PageBlock>
      </PageLayout>
    </Page>
  )
}

const STATES = {
  waiting: ['secondary', 'Not read yet'],
  filling: ['warning', 'First fill'],
  following: ['success', 'Follows'],
} as const

function Stores({ stores }: Pick<ShopSettings, 'stores'>) {
  return (
    <table className="w-full text-sm">
      <thead>
        <tr className="text-left">
          {['Store', 'Channel', 'Stock location', 'State', 'Products', 'As of'].map((name) => (
            <th key={name}>{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {stores.map(({ store, sold_in: channel, stock_location: location, state, products, total, as_of: asOf }) => (
          <tr key={store}>
            <td>{store}</td>
            <td>{channel ?? 'The default one'}</td>
            <td>{location ?? 'The default one'}</td>
            <td>
              <Badge variant={STATES[state][0]}>{STATES[state][1]}</Badge>
            </td>
            <td>{total === null ? products : `${products} of ${total}`}</td>
            <td>{asOf === null ? '' : when(asOf)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Actions({ onDone }: { onDone: () => Promise<void> }) {
  const [isRunning, setRunning] = useState(false)
  const [said, setSaid] = useState<string | null>(null)
  const [report, setReport] = useState<Report | null>(null)
  const run = async (work: () => Promise<void>) => {
    setRunning(true)
    setSaid(null)
    setReport(null)
    try {
      await work()
    } catch (error) {
      setSaid(messageOf(error))
    }
    setRunning(false)
    await onDone()
  }
  const verify = (repair: boolean) =>
    run(async () => setReport(((await api.mutate(VERIFY, { repair })) as { shelfwireVerify: Report }).shelfwireVerify))
  const follow = () =>
    run(async () => {
      await api.mutate(FOLLOW, {})
      setSaid('The shop looks for changes now.')
    })
  const button = (text: string, work: () => Promise<void>) => (
    <Button variant="outline" disabled={isRunning} onClick={() => void work()}>
      {text}
    </Button>
  )
  return (
    <>
      <div className="flex gap-2">
        {button('Follow now', follow)}
        {button('Verify', () => verify(false))}
        {button('Repair', () => verify(true))}
      </div>
      <div aria-live="polite" className="mt-3 text-sm">
        {isRunning && 'Working'}
        {said}
        {report !== null && <ReportOf report={report} />}
      </div>
    </>
  )
}

const Refused = ({ refused, count }: Pick<ShopSettings, 'refused'> & { count: number }) =>
  refused.length === 0 ? (
    <p className="text-sm">Nothing.</p>
  ) : (
    <>
      <Rows rows={refused.map(({ article, reason, since }) => [article, `${reason} (${when(since)})`] as const)} />
      {count > refused.length && <p className="text-sm">and {count - refused.length} more</p>}
    </>
  )

function Connection({ settings: { connection, last_run: run } }: { settings: ShopSettings }) {
  const { url, problem, has_token: hasToken, has_webhook_secret: hasSecret } = connection
  return (
    <>
      <Rows
        rows={[
          ['Address', url],
          [
            'Connection',
            <Badge key="connection" variant={problem === null ? 'success' : 'destructive'}>
              {problem ?? 'Shelfwire answers'}
            </Badge>,
          ],
          ['Token', hasToken ? 'Set; it is not shown' : 'Not set'],
          ['Webhooks', hasSecret ? 'Taken where they are signed' : 'No secret: changes are read each minute'],
          [
            'Last run',
            run === null ? 'None yet' : `${when(run.began)}${run.ended === null ? '' : ` to ${when(run.ended)}`}`,
          ],
          ...(run === null || run.problem === null ? [] : [['Ended with', run.problem] as const]),
        ]}
      />
      <p className="mt-2 text-sm text-muted-foreground">
        What is set here is in vendure-config, in the options of ShelfwirePlugin.
      </p>
    </>
  )
}

function Owned({ settings: { shop_owns: owned, customer_groups: groups } }: { settings: ShopSettings }) {
  return (
    <>
      <p className="mb-2 text-sm text-muted-foreground">
        These are set when a product is made, and are yours from then on.
      </p>
      {owned.length === 0 ? (
        <p className="text-sm">Nothing: Shelfwire keeps every field.</p>
      ) : (
        <div className="flex flex-wrap gap-1">
          {owned.map((name) => (
            <Badge key={name} variant="secondary">
              {name}
            </Badge>
          ))}
        </div>
      )}
      <Rows
        rows={Object.entries(groups).map(([ours, theirs]) => [`Prices of ${ours}`, theirs ?? 'Left out'] as const)}
      />
    </>
  )
}

const when = (time: string) => new Date(time).toLocaleString()

const Rows = ({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="grid gap-y-1 text-sm">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt className="text-muted-foreground">{name}</dt>
        <dd className="break-words">{value}</dd>
      </div>
    ))}
  </dl>
)
