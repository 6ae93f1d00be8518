/** Who Okaeri is in its own database: owner of it, and no superuser, so that no statement reads files or runs programs. */
export const ROLE = 'okaeri'

/** Okaeri's role may connect from this machine with its password. No other role may, the superuser included. */
export const HOST_RULES = `# Made by Okaeri; what is changed here is made anew at the next start.
host all ${ROLE} 127.0.0.1/32 scram-sha-256
`

/**
 * Makes the role, or gives it this password, and everything that is in the database. Before there was a role of its own, everything
 * belonged to the superuser. May be run again, whole or after it was cut off. Each statement ends with an empty line, by which
 * `postgres --single -j` parts them.
 */
export const roleStatements = (password: string, createsDatabases: boolean): string =>
  [
    `do $$ begin if not exists (select from pg_roles where rolname = '${ROLE}') then create role ${ROLE}; end if; end $$`,
    `alter role ${ROLE} login nosuperuser nocreaterole noreplication nobypassrls
      ${createsDatabases ? 'createdb' : 'nocreatedb'} password '${password}'`,
    // Tests decide which of two that wait for each other is ended.
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
        -- What a table has of its own (indexes, the sequence of an identity, its row type) follows it.
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
