/** Okaeri's role in its own database: the owner, but no superuser, so that no statement can read files or run programs. */
export const ROLE = 'okaeri'

/** Okaeri's role may connect from this machine with its password. No other role may, the superuser included. */
export const HOST_RULES = `# Made by Okaeri; what is changed here is made anew at the next start.
host all ${ROLE} 127.0.0.1/32 scram-sha-256
`

/**
 * Creates the role, or sets its password, and makes it the owner of everything in the database. In earlier versions everything belonged to the
 * superuser. May be repeated, also after an interruption. Each statement ends with an empty line, which separates them for
 * `postgres --single -j`.
 */
export const roleStatements = (password: string, createsDatabases: boolean): string =>
  [
    `do $$ begin if not exists (select from pg_roles where rolname = '${ROLE}') then create role ${ROLE}; end if; end $$`,
    `alter role ${ROLE} login nosuperuser nocreaterole noreplication nobypassrls
      ${createsDatabases ? 'createdb' : 'nocreatedb'} password '${password}'`,
    // Tests decide which transaction of a deadlock is cancelled.
    ...(createsDatabases ? [`grant set on parameter deadlock_timeout to ${ROLE}`] : []),
    `alter database postgres owner to ${ROLE}`,
    `do $$
    declare
      statement text;
    begin
      for statement in
        with spaces as (
          select oid, nspname from pg_namespace
          where nspname !~ '^pg_' and nspname <> 'information_schema' and nspowner <> 'pg_database_owner'::regrole
            or nspname = 'public'
        )
        select format('alter schema %I owner to ${ROLE}', nspname) from spaces where nspname <> 'public'
        union all
        -- Indexes, identity sequences and the row type of a table follow it.
        select format('alter table %s owner to ${ROLE}', c.oid::regclass)
        from pg_class c join spaces on spaces.oid = relnamespace
        where relkind in ('r', 'p', 'v', 'm', 'f') and relowner <> '${ROLE}'::regrole
        union all
        select format('alter sequence %s owner to ${ROLE}', c.oid::regclass)
        from pg_class c join spaces on spaces.oid = relnamespace
        where relkind = 'S' and relowner <> '${ROLE}'::regrole
          and not exists (select from pg_depend where objid = c.oid and deptype in ('a', 'i') and refobjsubid > 0)
        union all
        select format('alter routine %s owner to ${ROLE}', p.oid::regprocedure)
        from pg_proc p join spaces on spaces.oid = pronamespace where proowner <> '${ROLE}'::regrole
        union all
        select format('alter type %s owner to ${ROLE}', t.oid::regtype)
        from pg_type t join spaces on spaces.oid = typnamespace
        where typowner <> '${ROLE}'::regrole and typtype in ('e', 'd', 'r')
      loop
        execute statement;
      end loop;
    end $$`,
  ]
    .map((statement) => `${statement};\n\n`)
    .join('')
