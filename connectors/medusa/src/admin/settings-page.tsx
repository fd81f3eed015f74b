import { Badge, Button, Container, Heading, StatusBadge, Table, Text } from '@medusajs/ui'
import { useCallback, useEffect, useState, type ReactNode } from 'react'
import type { Report, ShopSettings } from '@shelfwire/client/shop'
import { ask } from './ask.ts'
import { ReportOf } from './report.tsx'

/** How often the open page loads its data again. */
const EVERY_MS = 3_000

/** The page of the connector in the shop's settings: how it is set up, how far it is, and what went wrong. */
export function SettingsPage(): ReactNode {
  const [settings, setSettings] = useState<ShopSettings | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const look = useCallback(async () => {
    try {
      setSettings(await ask<ShopSettings>('GET', '/settings'))
      setProblem(null)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }, [])
  useEffect(() => {
    void look()
    const timer = setInterval(() => void look(), EVERY_MS)
    return () => clearInterval(timer)
  }, [look])
  return (
    <div className="flex flex-col gap-y-3">
      {problem !== null && <Problem text={problem} />}
      {settings === null ? (
        problem === null && <Text>Loading</Text>
      ) : (
        <>
          <Connection settings={settings} />
          <Stores stores={settings.stores} />
          <Actions onDone={look} />
          <Refused refused={settings.refused} count={settings.refused_count} />
          <Owned settings={settings} />
        </>
      )}
    </div>
  )
}

const Problem = ({ text }: { text: string }) => (
  <Container role="alert">
    <StatusBadge color="red">{text}</StatusBadge>
  </Container>
)

function Connection({ settings: { connection, last_run: run } }: { settings: ShopSettings }) {
  return (
    <Section title="Shelfwire">
      <Rows
        rows={[
          ['Address', connection.url],
          [
            'Connection',
            <StatusBadge key="connection" color={connection.problem === null ? 'green' : 'red'}>
              {connection.problem ?? 'Shelfwire answers'}
            </StatusBadge>,
          ],
          ['Token', connection.has_token ? 'Set; it is not shown' : 'Not set'],
          [
            'Webhooks',
            connection.has_webhook_secret ? 'Taken where they are signed' : 'No secret: changes are read each minute',
          ],
          [
            'Last run',
            run === null
              ? 'None yet'
              : run.ended === null
                ? `Since ${when(run.began)}`
                : `${when(run.began)} to ${when(run.ended)}`,
          ],
          ...(run === null || run.problem === null
            ? []
            : [
                [
                  'Ended with',
                  <StatusBadge key="problem" color="red">
                    {run.problem}
                  </StatusBadge>,
                ] as const,
              ]),
        ]}
      />
      <Text size="small" className="text-ui-fg-subtle mt-2">
        What is set here is in medusa-config, in the options of @shelfwire/medusa.
      </Text>
    </Section>
  )
}

const STATES = {
  waiting: ['grey', 'Not read yet'],
  filling: ['orange', 'First fill'],
  following: ['green', 'Follows'],
} as const

function Stores({ stores }: Pick<ShopSettings, 'stores'>) {
  return (
    <Section title="Stores">
      <Table>
        <Table.Header>
          <Table.Row>
            {['Store', 'Sales channel', 'Stock location', 'State', 'Products', 'As of'].map((name) => (
              <Table.HeaderCell key={name}>{name}</Table.HeaderCell>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {stores.map(({ store, sold_in, stock_location, state, products, total, as_of }) => (
            <Table.Row key={store}>
              <Table.Cell>{store}</Table.Cell>
              <Table.Cell>{sold_in ?? 'The default one'}</Table.Cell>
              <Table.Cell>{stock_location ?? 'The only one'}</Table.Cell>
              <Table.Cell>
                <StatusBadge color={STATES[state][0]}>{STATES[state][1]}</StatusBadge>
              </Table.Cell>
              <Table.Cell>{total === null ? products : `${products} of ${total}`}</Table.Cell>
              <Table.Cell>{as_of === null ? '' : when(as_of)}</Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table>
    </Section>
  )
}

function Actions({ onDone }: { onDone: () => Promise<void> }) {
  const [running, setRunning] = useState<string | null>(null)
  const [said, setSaid] = useState<string | null>(null)
  const [report, setReport] = useState<Report | null>(null)
  const run = async (what: string, work: () => Promise<void>) => {
    setRunning(what)
    setSaid(null)
    setReport(null)
    try {
      await work()
    } catch (error) {
      setSaid(error instanceof Error ? error.message : String(error))
    }
    setRunning(null)
    await onDone()
  }
  const verify = (repair: boolean) =>
    run(repair ? 'repair' : 'verify', async () => setReport(await ask<Report>('POST', '/verify', { repair })))
  const follow = () =>
    run('follow', async () => {
      await ask('POST', '/follow', {})
      setSaid('The shop looks for changes now.')
    })
  const button = (what: string, text: string, work: () => Promise<void>) => (
    <Button variant="secondary" isLoading={running === what} disabled={running !== null} onClick={() => void work()}>
      {text}
    </Button>
  )
  return (
    <Section title="Compare and mend">
      <div className="flex gap-x-2">
        {button('follow', 'Follow now', follow)}
        {button('verify', 'Verify', () => verify(false))}
        {button('repair', 'Repair', () => verify(true))}
      </div>
      <div aria-live="polite" className="mt-3">
        {said !== null && <Text size="small">{said}</Text>}
        {report !== null && <ReportOf report={report} />}
      </div>
    </Section>
  )
}

function Refused({ refused, count }: Pick<ShopSettings, 'refused'> & { count: number }) {
  return (
    <Section title="Refused by the shop">
      {refused.length === 0 ? (
        <Text size="small">Nothing.</Text>
      ) : (
        <Rows rows={refused.map(({ article, reason, since }) => [article, `${reason} (${when(since)})`] as const)} />
      )}
      {count > refused.length && <Text size="small">and {count - refused.length} more</Text>}
    </Section>
  )
}

function Owned({ settings: { shop_owns: owned, customer_groups: groups } }: { settings: ShopSettings }) {
  return (
    <Section title="Left to the shop">
      <Text size="small" className="text-ui-fg-subtle">
        These are set when a product is made, and are yours from then on.
      </Text>
      <div className="mt-2 flex flex-wrap gap-1">
        {owned.length === 0 ? (
          <Text size="small">Nothing: Shelfwire keeps every field.</Text>
        ) : (
          owned.map((name) => <Badge key={name}>{name}</Badge>)
        )}
      </div>
      {Object.keys(groups).length > 0 && (
        <Rows
          rows={Object.entries(groups).map(([ours, theirs]) => [`Prices of ${ours}`, theirs ?? 'Left out'] as const)}
        />
      )}
    </Section>
  )
}

const when = (time: string) => new Date(time).toLocaleString()

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Container>
    <Heading level="h2" className="mb-3">
      {title}
    </Heading>
    {children}
  </Container>
)

const Rows = ({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) => (
  // an inline style, because the shop's build makes no class for these columns
  <dl className="grid gap-y-2" style={{ gridTemplateColumns: '12rem 1fr' }}>
    {rows.map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="text-ui-fg-subtle txt-compact-small">{name}</dt>
        <dd className="txt-compact-small">{value}</dd>
      </div>
    ))}
  </dl>
)
