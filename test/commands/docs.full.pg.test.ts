import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountsList } from '../../src/accounts/accounts.sql.ts'
import { auditAccount } from '../../src/shelf/audit.ts'
import { counterGet } from '../../src/shelf/payloads/change-counter.sql.ts'
import { everyNth } from '../harness/gate.ts'
import { blocksOf, openGround, runPage, type Ground } from './page.ts'

// The commands of every page but the tutorial, run in a shell in order, as a reader would type them: each page on an empty
// database, and all pages on one with the demo account of `npm start`.

/** Pages with commands, and the least number of command lines of each. */
const PAGES = {
  'README.md': 8,
  'docs/feed.md': 4,
  'docs/images.md': 6,
  'docs/notices.md': 6,
  'docs/import.md': 4,
  'docs/operations.md': 2,
  'docs/panel.md': 4,
  'docs/read-api.md': 12,
  'docs/rules.md': 20,
  'docs/webhooks.md': 15,
  'docs/write-api.md': 4,
}

/** Commands that a page may show outside of `sh` blocks: those that start services, tests and receivers, or need several servers or another DATA_DIR. */
const ELSEWHERE =
  /^(git clone|cd|([A-Z_]+=\S+ )*npm (start|test|ci|run [a-z:]+)|([A-Z_]+=(?:"[^"]*"|\S+) )*(npx shelfwire|node \S+\/shelfwire\.mjs) (backup|images check|serve|listen|distribute|fence-restore|rekey|restore)|psql|pg_basebackup|rsync|([A-Z_]+=\S+ )*npx vitest)\b/

const PARTS = (['empty', 'demo'] as const).flatMap((kind) => [0, 1].map((part) => [kind, part] as const))

// a gate runs a part of the pages on one of the two databases, chosen by its seed
describe.for(everyNth(PARTS, 4))('on a database that is %s, pages of part %i', ([kind, part]) => {
  let ground: Ground
  const fresh = async () => {
    if (kind === 'demo') return ground
    await ground[Symbol.asyncDispose]()
    return (ground = await openGround(kind))
  }
  beforeAll(async () => {
    ground = await openGround(kind)
  }, 120_000)
  afterAll(() => ground[Symbol.asyncDispose]())

  for (const [page, lines] of Object.entries(PAGES).filter((_, i) => i % 2 === part)) {
    test(`the commands of ${page} do what the page says`, { timeout: 360_000 }, async () => {
      const blocks = await blocksOf(page)
      const commands = blocks.flatMap(({ kind: language, text }) => (language === 'sh' ? text.trim().split('\n') : []))
      expect(commands.length).toBeGreaterThanOrEqual(lines)
      const { database, demoId } = await fresh()
      const before = demoId === null ? null : await counterGet(database.db, demoId)
      const out = await runPage(page, ground)
      CHECKS[page]?.(out)
      for (const { accountId } of await accountsList(database.db))
        expect((await auditAccount(database.db, accountId)).differences, `${page}, account ${accountId}`).toEqual([])
      // every page creates an account of its own; only fencing after a restore affects all accounts
      if (demoId !== null && page !== 'docs/operations.md')
        expect(await counterGet(database.db, demoId)).toEqual(before)
    })
  }
})

const CHECKS: Record<string, (out: string) => void> = {
  'README.md'(out) {
    expect(out).toContain('3 new')
  },
  'docs/operations.md'(out) {
    expect(out).not.toMatch(/[1-9]\d* differences/)
  },
  'docs/panel.md'(out) {
    expect(out).toMatch(/http:\/\/\S+\/panel\/\S+/)
  },
  'docs/rules.md'(out) {
    expect(out.match(/EANs on several products: none/g)).toHaveLength(1)
    // the last is the explanation of the hammer: north 20.00 is out of stock, south 76 PLN is 19.00 with 4 - 2 pieces
    expect(out).toContain('→ south:S-2 76 PLN (19 compared), 2 pieces (4 reported, 2 kept back)')
    expect(out).toContain(
      'north:N-2 20 EUR (20 compared), 0 pieces (0 reported, 0 kept back); behind the best by in stock',
    )
    expect(out).toContain('sku: NORTH-N-2-')
    expect(out).toMatch(/price for Retail: (?:23\.75|21\.38) EUR/)
  },
  'docs/webhooks.md'(out) {
    expect(out).toMatch(/^endpoint \d+ created; its secret, shown only now:\nwhsec_[\w-]{43}$/m)
    expect(out).toMatch(/^\d+ {2}active {2}https:\/\/shop\.example\/hook {2}price,removed of store \d+$/m)
    expect(out).toContain('disabled')
    expect(out).toContain('the old one is no longer used')
    expect(out).toMatch(/^nothing was sent yet$/m)
  },
}

test('what is not run is only what starts a service, the tests or a receiver, or needs several servers', async () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
  ]
  for (const page of pages) {
    for (const { kind, text } of await blocksOf(page)) {
      expect(
        ['sh', 'console', '', 'json', 'js', 'python', 'php', 'go', 'sql', 'ts', 'text', 'yaml', 'ini', 'nginx', 'http'],
        page,
      ).toContain(kind)
      if (kind === 'sh') expect(Object.keys(PAGES).concat('docs/tutorial.md'), `${page} has commands`).toContain(page)
      if (kind === 'console') for (const line of text.trim().split('\n')) expect(line, page).toMatch(ELSEWHERE)
    }
  }
})
