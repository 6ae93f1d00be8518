/**
 * What `npm run test:citus` leaves out, and why: whole files, or tests of a file by their names. Everything else of the server is to pass on
 * a cluster as it does on one PostgreSQL.
 */
export const ofOneNode: readonly { file: string; tests?: readonly string[]; why: string }[] = [
  { file: 'server/src/kernel/embedded-postgres.test.ts', why: 'is about the database Okaeri brings along' },
]
