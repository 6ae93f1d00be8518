import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isRoot, NOBODY } from '../data-folder.ts'
import {
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  isInUse,
  refuseIfInUse,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'
import { migrate } from './migrate.ts'
import { findPostmaster, isPostmaster } from './postmaster.ts'

/** Each test has its own database folder, copied from one that is made once. */
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-embedded-'))
fs.chmodSync(folder, 0o755)
const made = path.join(folder, 'made')
let home = ''
let count = 0
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
const children: ChildProcess[] = []

beforeAll(async () => {
  await (await startEmbeddedPostgres(made)).stop()
})
function copyOfMade(from = made): void {
  home = path.join(folder, `data-${(count += 1)}`, 'postgres')
  fs.mkdirSync(path.dirname(home))
  // A test file before this one may have changed the umask of the process.
  fs.chmodSync(path.dirname(home), 0o755)
  // The programs are never changed, so links are enough.
  execFileSync('cp', ['-al', from, home])
  fs.rmSync(data(), { recursive: true })
  for (const name of fs.readdirSync(home)) if (name !== 'pg-runtime') fs.rmSync(path.join(home, name))
  const own = fs.readdirSync(from).filter((name) => name !== 'pg-runtime')
  execFileSync('cp', ['-a', ...own.map((name) => path.join(from, name)), home])
}
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const data = (): string => path.join(home, 'pgdata')
const rules = (): string => path.join(data(), 'pg_hba.conf')

async function asking<T extends object>(url: string, sql: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<T>(sql, values)).rows
  } finally {
    await client.end()
  }
}
const refusalOf = (url: string, sql = 'select 1'): Promise<string> =>
  asking(url, sql).then(
    () => 'let in',
    (error: { code?: string }) => error.code ?? 'no code',
  )

async function withPostgres(work: (postgres: EmbeddedPostgres) => Promise<void>): Promise<void> {
  const postgres = await startEmbeddedPostgres(home)
  try {
    await work(postgres)
  } finally {
    await postgres.stop()
  }
}

/** Everything in a folder that others than its owner may read, write or enter. Links are followed. */
function openToOthers(place: string): string[] {
  const stat = fs.lstatSync(place)
  if (stat.isSymbolicLink()) return []
  const below = stat.isDirectory() ? fs.readdirSync(place).flatMap((name) => openToOthers(path.join(place, name))) : []
  return stat.mode & 0o077 ? [place, ...below] : below
}

describe('who is let in', () => {
  test('only Okaeri’s own role, by its password; neither the superuser nor another account of the machine', async () => {
    copyOfMade()
    await withPostgres(async ({ url }) => {
      const as = (user: string, password: string): string => {
        const other = new URL(url)
        Object.assign(other, { username: user, password })
        return other.href
      }
      const password = new URL(url).password
      expect(await refusalOf(url)).toBe('let in')
      expect(await refusalOf(as('okaeri', 'wrong'))).toBe('28P01')
      expect(await refusalOf(as('okaeri', ''))).not.toBe('let in')
      for (const superuser of ['postgres', 'daemon']) expect(await refusalOf(as(superuser, password))).toBe('28000')
      for (const host of ['[::1]', 'localhost'])
        expect(await refusalOf(url.replace('127.0.0.1', host).replace(password, 'wrong'))).not.toBe('let in')
    })
  })

  test('Okaeri’s role owns its database and is no superuser: no statement reads files, runs programs or makes roles', async () => {
    copyOfMade()
    await withPostgres(async ({ url }) => {
      expect(
        await asking(
          url,
          `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls, pg_get_userbyid(datdba) as owner
           from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
        ),
      ).toEqual([
        {
          rolsuper: false,
          rolcreaterole: false,
          rolcreatedb: false,
          rolreplication: false,
          rolbypassrls: false,
          owner: 'okaeri',
        },
      ])
      for (const attack of [
        `copy (select 1) to program 'touch ${folder}/attacked'`,
        `copy migrations from program 'id'`,
        `select pg_read_file('pg_hba.conf')`,
        `create role intruder superuser`,
        `alter role okaeri superuser`,
        `set session authorization postgres`,
        `set role postgres`,
        `alter system set archive_command = 'id'`,
        `select lo_import('/etc/passwd')`,
        `create function f() returns int language c as 'libc', 'getpid'`,
        `create database another`,
      ])
        expect(await refusalOf(url, attack), attack).toMatch(/^(42501|42P01|22023)$/)
      expect(await migrate(url)).not.toEqual([])
    })
  })

  test('the password is in one file, and neither in the log nor among the processes; nothing is open to other accounts', async () => {
    copyOfMade()
    await withPostgres(async ({ url }) => {
      const { password } = new URL(url)
      expect(password.length).toBeGreaterThan(30)
      expect(await refusalOf(url.replace(password, 'wrong'))).toBe('28P01')
      const holders = fs
        .readdirSync(home)
        .filter((name) => fs.statSync(path.join(home, name)).isFile())
        .filter((name) => fs.readFileSync(path.join(home, name), 'utf8').includes(password))
      expect(holders).toEqual(['password'])
      const titles = fs
        .readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map((pid) => spawnSync('cat', [`/proc/${pid}/cmdline`]).stdout.toString())
      expect(titles.some((title) => title.includes(password))).toBe(false)
      // As root, the database's own account passes through its folder.
      expect(openToOthers(home)).toEqual(isRoot ? [home] : [])
      expect(fs.statSync(home).mode & 0o067).toBe(0)
    })
    expect(fs.readFileSync(path.join(home, 'postgres.log'), 'utf8')).toContain('password authentication failed')
  })
})

describe('a database made before it had a password', () => {
  /** Like earlier versions: everything belongs to the superuser, everyone is trusted, folders are open. */
  async function makeOld(): Promise<void> {
    copyOfMade()
    fs.rmSync(data(), { recursive: true })
    fs.rmSync(path.join(home, 'password'))
    fs.mkdirSync(data())
    if (isRoot) fs.chownSync(data(), NOBODY, NOBODY)
    execFileSync(
      path.join(home, 'pg-runtime/bin/initdb'),
      ['-D', data(), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-instructions'],
      { ...identity, cwd: '/', env: { PATH: process.env['PATH'] }, stdio: 'ignore' },
    )
    const { url, kill } = await startOld()
    await migrate(url)
    await asking(
      url,
      `create schema pgboss; create type pgboss.job_state as enum ('created');
       create table pgboss.job (id int generated always as identity, state pgboss.job_state) partition by list (state);
       create table pgboss.job_created partition of pgboss.job for values in ('created');
       create sequence pgboss.plain; create view pgboss.seen as select id from pgboss.job;
       create function pgboss.told() returns trigger language plpgsql as 'begin return new; end';
       insert into pgboss.job (state) values ('created');
       insert into installation (secrets_fingerprint, created_at) values ('kept', now())`,
    )
    kill('SIGINT')
    await once(children[0] as ChildProcess, 'exit')
    fs.writeFileSync(path.join(home, 'pg-port'), '0', { mode: 0o644 })
    for (const place of [home, path.join(home, 'pg-runtime'), path.join(home, 'pg-port')]) fs.chmodSync(place, 0o755)
    fs.rmSync(path.join(home, 'pg-runtime/.closed'))
  }

  async function startOld(): Promise<{ url: string; pid: number; kill(signal: NodeJS.Signals): void }> {
    const port = await new Promise<number>((resolve) => {
      const server = net.createServer().listen(0, '127.0.0.1', () => {
        const { port: free } = server.address() as net.AddressInfo
        server.close(() => resolve(free))
      })
    })
    const child = spawn(
      path.join(home, 'pg-runtime/bin/postgres'),
      ['-D', data(), '-p', String(port), '-c', 'unix_socket_directories=', '-c', 'listen_addresses=127.0.0.1'],
      { ...identity, cwd: '/', env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    children.unshift(child)
    await new Promise<void>((resolve) => {
      let said = ''
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        if (said.includes('ready to accept')) resolve()
      })
    })
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      pid: child.pid ?? 0,
      kill: (signal) => child.kill(signal),
    }
  }

  async function expectMoved({ url }: EmbeddedPostgres): Promise<void> {
    expect(await asking(url, 'select secrets_fingerprint as kept from installation')).toEqual([{ kept: 'kept' }])
    expect(
      await asking(
        url,
        `select c.oid::regclass::text as left_behind from pg_class c join pg_namespace n on n.oid = relnamespace
         where nspname in ('public', 'pgboss') and pg_get_userbyid(relowner) <> 'okaeri'
         union all select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = pronamespace
         where nspname in ('public', 'pgboss') and pg_get_userbyid(proowner) <> 'okaeri'
         union all select t.oid::regtype::text from pg_type t join pg_namespace n on n.oid = typnamespace
         where nspname in ('public', 'pgboss') and pg_get_userbyid(typowner) <> 'okaeri'
         union all select nspname from pg_namespace where nspname = 'pgboss' and pg_get_userbyid(nspowner) <> 'okaeri'`,
      ),
    ).toEqual([])
    // Statements of migrations and the job queue.
    await asking(
      url,
      `alter table installation add column later int; insert into pgboss.job (state) values ('created')`,
    )
    await asking(url, 'create schema more; create table pgboss.more (id int); drop table pgboss.more')
    const superuser = url.replace(/okaeri:[^@]*@/, 'postgres@')
    expect(await refusalOf(superuser)).toBe('28000')
    expect(openToOthers(home)).toEqual(isRoot ? [home] : [])
  }

  test('gets one at the next start, with all its content', async () => {
    await makeOld()
    await withPostgres(expectMoved)
    await withPostgres(async ({ url }) => expect(await refusalOf(url)).toBe('let in'))
  })

  test('also while its server still runs after its starter was killed', async () => {
    await makeOld()
    const old = await startOld()
    await withPostgres(async (postgres) => {
      expect(isPostmaster(old.pid, data())).toBe(false)
      await expectMoved(postgres)
    })
  })

  test('also when the start that did it was killed at any point', async () => {
    await makeOld()
    const before = path.join(folder, 'old')
    fs.renameSync(home, before)
    const points: [string, () => void][] = [
      ['nobody let in, no password yet', () => fs.writeFileSync(rules(), '# nobody\n')],
      [
        'a password, and no role',
        () => {
          fs.writeFileSync(rules(), '# nobody\n')
          fs.writeFileSync(path.join(home, 'password'), 'first', { mode: 0o600 })
        },
      ],
      [
        'the role, and not everything its own',
        () => {
          fs.writeFileSync(path.join(home, 'password'), 'first', { mode: 0o600 })
          const half = `create role okaeri login password 'other';\n\nalter table customers owner to okaeri;\n\n`
          const done = spawnSync(
            path.join(home, 'pg-runtime/bin/postgres'),
            ['--single', '-j', '-D', data(), 'postgres'],
            {
              ...identity,
              cwd: '/',
              env: { PATH: process.env['PATH'] },
              input: half,
            },
          )
          expect(done.status).toBe(0)
        },
      ],
      ['rules half written', () => fs.writeFileSync(`${rules()}.4711`, 'host all', { mode: 0o600 })],
      [
        'in the middle of its statements',
        () => fs.writeFileSync(path.join(data(), 'postmaster.pid'), `-${process.pid}\n${data()}\n`),
      ],
    ]
    for (const [, killed] of points) {
      copyOfMade(before)
      killed()
      await withPostgres(expectMoved)
    }
  })

  test('and again where the password was lost', async () => {
    copyOfMade()
    fs.rmSync(path.join(home, 'password'))
    await withPostgres(async ({ url }) => expect(await refusalOf(url)).toBe('let in'))
  })
})

describe('whose process it is', () => {
  const idle = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, ['-e', 'process.stdout.write("up"); process.stdin.resume()'], {
      ...identity,
      cwd: '/',
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    children.push(child)
    await once(child.stdout, 'data')
    return child
  }

  test('a program with the number of a dead server gets no signal from us, and the database starts', async () => {
    copyOfMade()
    const stranger = await idle()
    const server = net.createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as net.AddressInfo
    const pidFile = `${stranger.pid}\n${data()}\n1700000000\n${port}\n\n127.0.0.1\n  1234567  123456\nready   \n`
    fs.writeFileSync(path.join(data(), 'postmaster.pid'), pidFile)
    if (isRoot) fs.chownSync(path.join(data(), 'postmaster.pid'), NOBODY, NOBODY)
    await withPostgres(async ({ url }) => {
      expect(new URL(url).port).not.toBe(String(port))
      expect(await refusalOf(url)).toBe('let in')
    })
    server.close()
    // A signal before this one would have ended it.
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null])
    stranger.kill('SIGTERM')
    expect((await once(stranger, 'exit'))[1]).toBe('SIGTERM')
  })

  test.each([
    ['a process of Okaeri', () => process.pid],
    ['the first process of the machine', () => 1],
    ['a group of processes', () => -process.pid],
    ['no number', () => Number.NaN],
  ])('%s is not mistaken for the server', (_, pid) => {
    copyOfMade()
    expect(isPostmaster(pid(), data())).toBe(false)
    fs.writeFileSync(path.join(data(), 'postmaster.pid'), `${pid()}\n${data()}\n1\n5432\n\n\n\nready\n`)
    expect(findPostmaster(data())).toBeNull()
  })

  test('another installation’s server is not mistaken for ours, even if a copied folder names it', async () => {
    copyOfMade()
    await withPostgres(async ({ url }) => {
      const original = findPostmaster(data())
      const copy = path.join(folder, 'copy-while-running')
      execFileSync('cp', ['-a', home, copy])
      expect(findPostmaster(path.join(copy, 'pgdata'))).toBeNull()
      const other = await startEmbeddedPostgres(copy)
      expect(other.url).not.toBe(url)
      await other.stop()
      expect(findPostmaster(data())).toEqual(original)
      expect(await refusalOf(url)).toBe('let in')
    })
  })
})

describe('one process at a time', () => {
  const keeper = async (): Promise<ChildProcess> => {
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `const { startEmbeddedPostgres } = await import(${JSON.stringify(path.join(import.meta.dirname, 'embedded-postgres.ts'))})
         await startEmbeddedPostgres(${JSON.stringify(home)})
         process.stdout.write('up'); process.stdin.resume()`,
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    )
    children.push(child)
    await once(child.stdout, 'data')
    return child
  }

  test('a second start learns who has the data folder; after kill -9 the next one continues with the same server', async () => {
    copyOfMade()
    const first = await keeper()
    const inUse = `The data folder ${path.dirname(home)} is in use by another Okaeri (process ${first.pid})`
    await expect(startEmbeddedPostgres(home)).rejects.toThrow(inUse)
    await expect(refuseIfInUse(home)).rejects.toThrow(inUse)
    expect(await isInUse(home)).toBe(true)
    const url = findEmbeddedPostgres(home) ?? ''
    expect(await refusalOf(url)).toBe('let in')
    const server = findPostmaster(data())
    first.kill('SIGKILL')
    await once(first, 'exit')
    expect(await isInUse(home)).toBe(false)
    await withPostgres(async (postgres) => {
      expect(findPostmaster(data())).toEqual(server)
      expect(postgres.url).toBe(url)
    })
    expect(findPostmaster(data())).toBeNull()
  })

  test('a server that looks ready but does not answer is not used; when it ends another is started', async () => {
    copyOfMade()
    const first = await keeper()
    const server = findPostmaster(data())?.pid ?? 0
    // A killed server that has not ended yet looks the same.
    process.kill(server, 'SIGSTOP')
    first.kill('SIGKILL')
    await once(first, 'exit')
    const lines: string[] = []
    const waits = Promise.withResolvers<void>()
    const starting = startEmbeddedPostgres(home, {
      log: (line) => {
        lines.push(line)
        waits.resolve()
      },
    })
    await Promise.race([waits.promise, starting])
    process.kill(server, 'SIGKILL')
    const postgres = await starting
    expect(await refusalOf(postgres.url)).toBe('let in')
    expect(findPostmaster(data())?.pid).not.toBe(server)
    await postgres.stop()
    expect(lines).toEqual(['the database does not answer; waiting for it'])
  })

  test('a server killed with its starter, and its remaining processes, are waited for', async () => {
    copyOfMade()
    const first = await keeper()
    const url = findEmbeddedPostgres(home) ?? ''
    // The process of a connection outlives the server for a moment, because it is busy.
    const busy = asking(url, 'select count(*) from generate_series(1, 3000000) n').catch(() => {})
    process.kill(findPostmaster(data())?.pid ?? 0, 'SIGKILL')
    first.kill('SIGKILL')
    await once(first, 'exit')
    await withPostgres(async (postgres) => expect(await refusalOf(postgres.url)).toBe('let in'))
    await busy
  })
})

test('a start that was killed while it created the database does not block the next one', async () => {
  copyOfMade()
  fs.renameSync(data(), `${data()}.new`)
  fs.rmSync(path.join(`${data()}.new`, 'global'), { recursive: true })
  fs.rmSync(path.join(home, 'password'))
  await withPostgres(async ({ url }) => expect(await refusalOf(url)).toBe('let in'))
})

test('a half-made database of an earlier version is reported, not started', async () => {
  copyOfMade()
  fs.rmSync(path.join(data(), 'global/pg_control'))
  await expect(startEmbeddedPostgres(home)).rejects.toThrow('was never finished')
})

test('the database’s log is bounded, also while the server writes it', async () => {
  copyOfMade()
  const log = path.join(home, 'postgres.log')
  fs.writeFileSync(log, 'an earlier line\n'.repeat(400_000), { mode: 0o644 })
  await withPostgres(async () => {
    expect(fs.statSync(log).size).toBeLessThan(10_000)
    expect(fs.readFileSync(log, 'utf8')).toContain('ready to accept connections')
  })
  expect(fs.statSync(`${log}.1`).size).toBe(6_400_000)
  expect([log, `${log}.1`].map((file) => fs.statSync(file).mode & 0o077)).toEqual([0, 0])
})
