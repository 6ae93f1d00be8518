import { v7 } from 'uuid'

/** A new id: UUIDv7, so that newer rows sort last. */
export const newId = (): string => v7()

/** Stands for "none" in keys that cannot hold null. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000'
