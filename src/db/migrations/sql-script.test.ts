import { expect, test } from 'vitest'
import { readMigrations } from './migrate.ts'
import { statementsOfScript } from './sql-script.ts'

test('a script is cut at the semicolons that end statements', () => {
  const script = `
    -- one; two
    create table a (b text default ';', "c;" int); /* ; */
    create function f() returns text language plpgsql as $body$ begin return ';$$;'; end $body$;
    comment on table a is 'it''s; fine'; select 1
    -- the end;
  `
  expect(statementsOfScript(script)).toEqual([
    `-- one; two\n    create table a (b text default ';', "c;" int)`,
    `/* ; */\n    create function f() returns text language plpgsql as $body$ begin return ';$$;'; end $body$`,
    `comment on table a is 'it''s; fine'`,
    `select 1\n    -- the end;`,
  ])
  expect(statementsOfScript(' ;; -- nothing\n ; ')).toEqual([])
})

test('every migration is cut into statements that each begin with one command', async () => {
  for (const { name, sql } of await readMigrations()) {
    const statements = statementsOfScript(sql)
    expect(statements.length, name).toBeGreaterThan(0)
    for (const text of statements) {
      expect(text.replaceAll(/--[^\n]*/g, '').trim(), name).toMatch(
        /^(alter|comment|create|insert|select|update|with)\b/,
      )
    }
  }
})
