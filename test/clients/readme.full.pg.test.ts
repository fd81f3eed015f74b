import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { tokenFor } from '../harness/service.ts'
import { directoryOfFile, worldOfFile } from '../harness/world.ts'
import { CLIENTS, GO, GO_SETTINGS, PHP, PYTHON, titleOf, type Language } from './languages.ts'

// The programs of the READMEs of clients in other languages, each in an empty directory with the client installed as the README says.

const { service, account } = worldOfFile({ service: {}, account: 'acme', products: ['A', 'B', 'C'] })
const directory = directoryOfFile('clients-readme')
const FILLED = ['main', 'de', 'pl'].map((store) => `${store}: 3 products, 0 differ\n`).join('')
/** The output of a program that reads an address twice, the second time with the ETag of the first answer. */
const AGAIN = '200 304\n'
const run = promisify(execFile)

/** The first code block of a README in a language that begins with this text. */
async function programOf(folder: string, language: string, beginning: string): Promise<string> {
  const readme = await readFile(join(CLIENTS, folder, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code = '']) => code,
  )
  const program = blocks.find((code) => code.startsWith(beginning))
  if (program === undefined) throw new Error(`${folder}/README.md has no such program`)
  return program
}

async function place(name: string): Promise<{ cwd: string; env: NodeJS.ProcessEnv }> {
  const cwd = join(directory, name)
  await mkdir(cwd)
  const SHELFWIRE_TOKEN = await tokenFor(service.runtime, account.accountId, 'connector')
  return { cwd, env: { ...process.env, SHELFWIRE_URL: service.url, SHELFWIRE_TOKEN } }
}

const testOf = (language: Language, work: () => Promise<void>) =>
  test.skipIf(language.missing !== null)(titleOf(language), { timeout: 300_000 }, work)

testOf(PYTHON, async () => {
  const { cwd, env } = await place('python')
  await cp(`${CLIENTS}python`, join(cwd, 'source'), { recursive: true })
  const PYTHONPATH = join(cwd, 'installed')
  // without the registry: the build tools are on the machine; otherwise the file is copied, which the README also describes
  const args = ['-m', 'pip', 'install', '--quiet', '--no-build-isolation', '--no-deps', '--no-index']
  const pip = await run('python3', [...args, '--target', PYTHONPATH, './source'], { cwd, env }).catch(
    (error: unknown) => error,
  )
  if (pip instanceof Error) {
    expect(String(pip)).toMatch(/No module named pip|setuptools|Cannot import/)
    await cp(`${CLIENTS}python/shelfwire.py`, join(cwd, 'shelfwire.py'))
  } else
    expect((await run('python3', ['-m', 'pip', 'list', '--path', PYTHONPATH], { env })).stdout).toContain(
      'shelfwire-client',
    )
  await writeFile(join(cwd, 'mirror.py'), await programOf('python', 'python', '# mirror.py'))
  for (let i = 0; i < 2; i++)
    expect((await run('python3', ['-B', 'mirror.py'], { cwd, env: { ...env, PYTHONPATH } })).stdout).toBe(FILLED)
  const again = `
import os, threading, time
from shelfwire import Client, SqliteTarget, Sync
client = Client(os.environ["SHELFWIRE_URL"], os.environ["SHELFWIRE_TOKEN"])
first = client.get("/products", {"store": "de"})
second = client.get("/products", {"store": "de"}, etag=first.etag)
assert second.data is None
print(first.status, second.status)
# a hint is heard where it would wait, and so is the end
told = []
sync = Sync(client, SqliteTarget("hinted.db"), ["de"], wait=0, on_status=lambda status: told.append(status["state"]))
thread = threading.Thread(target=sync.run)
thread.start()
while told.count("current") < 1:
    time.sleep(0.05)
sync.hint()
while told.count("current") < 2:
    time.sleep(0.05)
sync.stop()
thread.join(10)
assert not thread.is_alive()
`
  expect((await run('python3', ['-B', '-c', again], { cwd, env: { ...env, PYTHONPATH } })).stdout).toBe(AGAIN)
})

testOf(GO, async () => {
  const { cwd, env } = await place('go')
  const options = { cwd, env: { ...env, ...GO_SETTINGS } }
  await symlink(CLIENTS, join(directory, 'clients'))
  await writeFile(join(cwd, 'main.go'), await programOf('go', 'go', 'package main'))
  await run('go', ['mod', 'init', 'mirror'], options)
  await run('go', ['mod', 'edit', '-require=shelfwire@v0.0.0', '-replace=shelfwire=../clients/go'], options)
  await run('go', ['build', '-o', 'mirror'], options)
  for (let i = 0; i < 2; i++) expect((await run(join(cwd, 'mirror'), [], options)).stdout).toBe(FILLED)
  const again = `package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"shelfwire"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	client, err := shelfwire.NewClient(os.Getenv("SHELFWIRE_URL"), os.Getenv("SHELFWIRE_TOKEN"))
	if err != nil {
		panic(err)
	}
	first, _ := client.Get(ctx, "/products", nil, "")
	second, _ := client.Get(ctx, "/products", nil, first.ETag)
	fmt.Println(first.Status, second.Status)
	// a hint ends the wait of a long poll, and so does the end
	currents := 0
	target := shelfwire.NewDirectoryTarget("hinted")
	sync := shelfwire.NewSync(client, target, "de")
	sync.Wait = 0
	sync.OnStatus = func(status shelfwire.Status) error {
		if status.State == "current" {
			currents++
		}
		if currents == 2 {
			cancel()
		}
		time.AfterFunc(100*time.Millisecond, sync.Hint)
		return nil
	}
	if err := sync.Run(ctx); err != nil || ctx.Err() != context.Canceled {
		panic(fmt.Sprint(err, ctx.Err()))
	}
}
`
  await writeFile(join(cwd, 'main.go'), again)
  expect((await run('go', ['run', '.'], options)).stdout).toBe(AGAIN)
})

testOf(PHP, async () => {
  const { cwd, env } = await place('php')
  const program = await programOf('php', 'php', '<?php\n// mirror.php')
  await mkdir(join(cwd, 'vendor'))
  await writeFile(join(cwd, 'vendor/autoload.php'), `<?php require '${CLIENTS}php/autoload.php';`)
  await writeFile(join(cwd, 'mirror.php'), program)
  for (let i = 0; i < 2; i++) expect((await run('php', ['mirror.php'], { cwd, env })).stdout).toBe(FILLED)
  const again =
    program.slice(0, program.indexOf('$target =')) +
    `
$first = $client->get('/products', ['store' => 'de']);
$second = $client->get('/products', ['store' => 'de'], $first->etag);
assert($second->data === null);
echo "$first->status $second->status\n";
`
  await writeFile(join(cwd, 'again.php'), again)
  expect((await run('php', ['again.php'], { cwd, env })).stdout).toBe(AGAIN)
  // with a PSR-18 client: psr-18.php has the used parts of the interfaces that composer would install
  const over = program.replace(
    /new Client\((.*)\);\n/,
    'Client::over($1, new Psr\\Http\\Client\\OfPhp(), new Psr\\Http\\Client\\OfPhp());\n',
  )
  expect(over).toContain('Client::over(')
  await writeFile(
    join(cwd, 'over.php'),
    over.replace("'vendor/autoload.php';", "'vendor/autoload.php';\nrequire 'psr.php';"),
  )
  await cp(new URL('psr-18.php', import.meta.url), join(cwd, 'psr.php'))
  expect((await run('php', ['over.php'], { cwd, env })).stdout).toBe(FILLED)
  const sent = await readFile(join(cwd, 'psr-18.log'), 'utf8')
  expect(sent).toContain('/v1/changes?')
})
