import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENTS, PHP, PYTHON, titleOf } from './languages.ts'

// How the clients in other languages keep a mirror on disk.

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shelfwire-targets-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

describe.skipIf(PYTHON.missing !== null)(titleOf(PYTHON), () => {
  /** Runs a program with what it needs of the client. @returns what it prints, as JSON */
  async function python(code: string, ...args: string[]): Promise<unknown> {
    const program = `import json, sys
sys.path.insert(0, ${JSON.stringify(`${CLIENTS}python`)})
from shelfwire import Batch, Product, SqliteTarget
${code}`
    const { stdout, stderr } = await promisify(execFile)('python3', ['-W', 'error', '-B', '-c', program, ...args])
    expect(stderr).toBe('')
    return JSON.parse(stdout) as unknown
  }

  test.each([1_300, 2_100, 5_000])(
    'a SQLite file takes little more than its products do, of %d characters each',
    async (chars) => {
      const file = join(directory, `${chars}.db`)
      const text = await python(
        `products = [Product(i, json.dumps({"id": i, "title": "x" * int(sys.argv[2])})) for i in range(1, 1001)]
target = SqliteTarget(sys.argv[1])
target.apply(Batch("de", None, "p1", products, [], []))
target.close()
print(sum(len(product.text) for product in products))`,
        file,
        String(chars),
      )
      expect((await stat(file)).size / Number(text)).toBeLessThan(1.25)
    },
  )

  test('a product that is replaced keeps its place in the file', async () => {
    const rows = await python(
      `target = SqliteTarget(sys.argv[1])
target.apply(Batch("de", None, "p1", [Product(i, '{"id":%d}' % i) for i in (1, 2, 3)], [], []))
target.apply(Batch("de", "p1", "p2", [Product(1, '{"id":1,"title":"new"}')], [3], []))
print(json.dumps(target.db.execute("select rowid, id, product from shelfwire_product order by rowid").fetchall()))
target.close()`,
      join(directory, 'replaced.db'),
    )
    expect(rows).toEqual([
      [1, 1, '{"id":1,"title":"new"}'],
      [2, 2, '{"id":2}'],
    ])
  })

  test('a file of an older version is read and written as it is', async () => {
    const file = join(directory, 'old.db')
    const old = new DatabaseSync(file)
    old.exec(`pragma journal_mode = wal;
      create table shelfwire_product (
        store text not null, id integer not null, product text not null, primary key (store, id)
      ) without rowid;
      create table shelfwire_position (store text not null primary key, position text not null);
      insert into shelfwire_position values ('de', 'p1');
      insert into shelfwire_product values ('de', 1, '{"id":1}'), ('de', 2, '{"id":2}')`)
    old.close()
    const seen = await python(
      `target = SqliteTarget(sys.argv[1])
before = [target.position("de"), [product.text for product in target.held("de")]]
is_written = target.apply(Batch("de", "p1", "p2", [Product(1, '{"id":1,"title":"new"}'), Product(3, '{"id":3}')], [2], []))
print(json.dumps([before, is_written, target.position("de"), [product.text for product in target.held("de")]]))
target.close()`,
      file,
    )
    expect(seen).toEqual([['p1', ['{"id":1}', '{"id":2}']], true, 'p2', ['{"id":1,"title":"new"}', '{"id":3}']])
  })
})

describe.skipIf(PHP.missing !== null)(titleOf(PHP), () => {
  test('files and their directory entries are synced to disk before the position is written, which is then synced, too', async () => {
    // functions of its namespace are called in place of PHP's own
    const code = `<?php
namespace Shelfwire;
require $argv[1] . '/autoload.php';
$calls = [];
function fsync($opened): bool {
    global $calls;
    $calls[] = 'sync ' . basename(stream_get_meta_data($opened)['uri']);
    return \\fsync($opened) ?: throw new \\Exception('not on disk');
}
function rename(string $from, string $to): bool {
    global $calls;
    $calls[] = 'rename ' . basename($to);
    return \\rename($from, $to);
}
$target = new DirectoryTarget($argv[2]);
$product = static fn (int $id) => Product::of('{"id":' . $id . '}');
$target->apply(new Batch('de', null, 'p1', [$product(1), $product(300)], []));
$target->close();
echo json_encode($calls);
`
    const file = join(directory, 'settle.php')
    await writeFile(file, code)
    const options = ['-d', 'error_reporting=-1', '-d', 'display_errors=stderr']
    const args = [...options, file, `${CLIENTS}php`, join(directory, 'catalog')]
    const { stdout, stderr } = await promisify(execFile)('php', args)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([
      'sync 0000000000000000.ndjson.tmp',
      'rename 0000000000000000.ndjson',
      'sync 0000000000000200.ndjson.tmp',
      'rename 0000000000000200.ndjson',
      'sync de',
      'sync position.tmp',
      'rename position',
      'sync de',
    ])
  })
})
