/** The tests run on a Citus cluster. */
export const onCluster = process.env['CITUS_BIN'] !== undefined

/**
 * What `npm run test:citus` leaves out, and why: whole files, or of a file one `test`. Everything else of the server is to pass on a cluster as
 * it does on one PostgreSQL.
 */
export const ofOneNode: readonly { file: string; test?: string; why: string }[] = [
  { file: 'server/src/kernel/database/embedded-postgres.test.ts', why: 'is about the database Okaeri brings along' },
  { file: 'server/test/kill.test.ts', why: 'kills a database of its own, the one Okaeri brings along' },
  {
    file: 'server/test/restored.test.ts',
    why: 'puts a dump back by dropping the schema, which tears the tables off what the coordinator knows of them',
  },
  {
    file: 'server/test/restored-rich-menus.test.ts',
    why: 'puts a dump back by dropping the schema, which tears the tables off what the coordinator knows of them',
  },
  {
    file: 'server/src/features/campaigns/own-codes/own-codes-once.test.ts',
    test: 'are the same after the database was put back to before the campaign was confirmed',
    why: 'puts a dump back by dropping the schema, which tears the tables off what the coordinator knows of them',
  },
  {
    file: 'server/test/upgrade.test.ts',
    why: 'builds the tables of before by dropping the schema, which tears the tables off what the coordinator knows of them',
  },
  {
    file: 'server/src/features/entering/batch-size.test.ts',
    why: 'slows statements down by a trigger, which distributed tables cannot have',
  },
  {
    file: 'server/src/features/deliveries/sending/lease.test.ts',
    test: 'while the disk of the database is full, what needs no writing does not tell that sending goes on',
    why: 'plays the full disk by a trigger, which distributed tables cannot have',
  },
  {
    file: 'server/src/features/customers/changing.test.ts',
    test: 'where the disk is full once the store has the customer, that is said; the customer comes when there is room',
    why: 'plays the full disk by a trigger, which distributed tables cannot have',
  },
]
