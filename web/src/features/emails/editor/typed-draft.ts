import { ApiError } from '@okaeri/contract/client'
import {
  deleteEmailComponentDraft,
  getEmailComponentDraft,
  keepEmailComponentDraft,
} from '@okaeri/contract/emails/component-routes'
import { deleteEmailDraft, getEmailDraft, keepEmailDraft } from '@okaeri/contract/emails/version-routes'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { call } from '../../../api/call.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { toast } from '../../../ui/toast.ts'
import type { EmailLanguage } from '../email-language.ts'

/** In the browser at once, on the server once nothing was typed for so long. */
const KEPT_AFTER_MS = 2_000
/** This tab, until it is loaded again. */
const TAB = `${Math.random().toString(36).slice(2, 12)}-${Date.now().toString(36)}`

type Fields = Record<string, string>
interface Kept {
  fields: Fields
  saved_at: string
  is_behind: boolean
}
interface Typed {
  fields: Fields
  began_at: string
  writer: string
  seen_at: string | null
  takes_over: boolean
}

interface Place {
  id: string
  /** The language of an email's variant; null: the base. */
  language: EmailLanguage
}
const of = (language: EmailLanguage) => (language === null ? {} : { language })

/** Where the server keeps it. */
const places = {
  email: {
    find: async ({ id, language }: Place): Promise<Kept | null> =>
      asKept((await call(getEmailDraft, { params: { id }, query: of(language) })).draft),
    keep: ({ id, language }: Place, body: Typed): Promise<unknown> =>
      call(keepEmailDraft, { params: { id }, query: of(language), body }),
    forget: ({ id, language }: Place, query: { writer?: string; seen_at?: string }): Promise<unknown> =>
      call(deleteEmailDraft, { params: { id }, query: { ...query, ...of(language) } }),
  },
  component: {
    find: async ({ id }: Place): Promise<Kept | null> =>
      asKept((await call(getEmailComponentDraft, { params: { id } })).draft),
    keep: ({ id }: Place, body: Typed): Promise<unknown> => call(keepEmailComponentDraft, { params: { id }, body }),
    forget: ({ id }: Place, query: { writer?: string; seen_at?: string }): Promise<unknown> =>
      call(deleteEmailComponentDraft, { params: { id }, query }),
  },
} as const

const asKept = (
  draft: { fields: { [field: string]: string | undefined }; saved_at: string; is_behind: boolean } | null,
): Kept | null =>
  draft && {
    ...draft,
    fields: Object.fromEntries(
      Object.entries(draft.fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  }

const Local = z.object({
  fields: z.record(z.string(), z.string()),
  saved_at: z.iso.datetime(),
  began_at: z.iso.datetime(),
  /** The tab; absent: of an older version of the program. */
  writer: z.string().optional(),
})
type Local = z.output<typeof Local>
interface Whose extends Place {
  kind: keyof typeof places
  memberId: string
}
/** Per member: another one who signs in to this browser does not see it. */
const keyOf = ({ kind, memberId, id, language }: Whose): string =>
  `${kind}-draft.${memberId}.${id}${language === null ? '' : `.${language}`}`

const parseLocal = (text: string | null): Local | null => {
  try {
    const read = Local.safeParse(JSON.parse(text ?? 'null'))
    return read.success ? read.data : null
  } catch {
    // Stored by an older version of the program.
    return null
  }
}
/** What this browser kept, where the server could not be reached or the sign-in had ended; null too where the browser keeps nothing. */
function readLocal(whose: Whose): Local | null {
  try {
    return parseLocal(localStorage.getItem(keyOf(whose)))
  } catch {
    // Not allowed here.
    return null
  }
}
function writeLocal(whose: Whose, draft: Local | null): void {
  try {
    if (draft === null) localStorage.removeItem(keyOf(whose))
    else localStorage.setItem(keyOf(whose), JSON.stringify(draft))
  } catch {
    // The browser has no room; the server has it.
  }
}

interface Found<Values> {
  values: Values
  at: string
  isBehind: boolean
}

interface DraftInit<Values extends object> {
  kind: Whose['kind']
  id: string
  /** Each of an email's languages has a draft of its own. */
  language?: EmailLanguage
  /** When it was saved. */
  updatedAt: string
  values: Values
  saved: Values
  dirty: boolean
  mayChange: boolean
}

/** What the server kept when the editor was opened; undefined until it answered. Not asked again: by then it is what is typed here. */
function useFirstKept({ kind, id, language, memberId }: Whose, enabled: boolean): Kept | null | undefined {
  const [first, setFirst] = useState<Kept | null>()
  const { data, isFetchedAfterMount } = useQuery({
    queryKey: ['draft', kind, memberId, id, language],
    queryFn: () => places[kind].find({ id, language }),
    refetchInterval: false,
    refetchOnWindowFocus: false,
    enabled: enabled && first === undefined,
  })
  useEffect(() => {
    if (isFetchedAfterMount && data !== undefined) setFirst((before) => (before === undefined ? data : before))
  }, [isFetchedAfterMount, data])
  return first
}

/**
 * Keeps what is typed without a save, and returns what was kept before: of this member, here or on another machine. A failed save, an expired
 * sign-in or a closed tab loses nothing. After a save nothing is kept. Where another tab is typed in too, nothing of it is overwritten before the
 * person said so (`clashes`).
 */
export function useTypedDraft<Values extends object>(init: DraftInit<Values>) {
  const { kind, id, language = null, updatedAt, values, saved, dirty, mayChange } = init
  const { member } = useMerchant()
  const memberId = member.id
  const first = useFirstKept({ kind, id, language, memberId }, mayChange)
  const [local] = useState(() => readLocal({ kind, id, language, memberId }))
  const [isAnswered, setIsAnswered] = useState(false)
  const [clashes, setClashes] = useState(false)
  /** What this tab knows of others: when the browser and the server kept it. */
  const seen = useRef<{ local: string | null; server: string | null }>({ local: local?.saved_at ?? null, server: null })
  const takesOver = useRef(false)
  const found = isAnswered || first === undefined ? null : newer(local, first, { saved, updatedAt })
  useEffect(() => {
    if (first) seen.current.server = first.saved_at
  }, [first])

  const given = JSON.stringify(values)
  const wasKept = useRef(false)
  const rests = found !== null || clashes || !mayChange
  useEffect(() => {
    const whose: Whose = { kind, id, language, memberId }
    if (rests) return undefined
    if (!dirty) {
      // Saved, or typed back.
      if (wasKept.current) forget(whose, seen.current)
      wasKept.current = false
      return undefined
    }
    const fields = JSON.parse(given) as Fields
    if (!takesOver.current && isOfAnother(readLocal(whose), seen.current.local)) {
      setClashes(true)
      return undefined
    }
    writeLocal(whose, { fields, saved_at: new Date().toISOString(), began_at: updatedAt, writer: TAB })
    wasKept.current = true
    const timer = setTimeout(() => {
      const typed = { fields, began_at: updatedAt, writer: TAB, seen_at: seen.current.server }
      places[kind].keep({ id, language }, { ...typed, takes_over: takesOver.current }).then(
        () => (takesOver.current = false),
        (error: unknown) => {
          // What does not arrive is kept here.
          if (error instanceof ApiError && error.reason === 'draft_of_another_tab') setClashes(true)
        },
      )
    }, KEPT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [given, dirty, rests, kind, id, language, memberId, updatedAt])

  // Another tab of this browser began to type, or took over.
  useEffect(() => {
    const listen = ({ key, newValue }: StorageEvent): void => {
      if (key !== keyOf({ kind, id, language, memberId }) || !wasKept.current) return
      if (isOfAnother(parseLocal(newValue), null)) setClashes(true)
    }
    window.addEventListener('storage', listen)
    return () => window.removeEventListener('storage', listen)
  }, [kind, id, language, memberId])

  return {
    found,
    /** The person has chosen. */
    answered(keeps: boolean) {
      setIsAnswered(true)
      if (keeps) wasKept.current = true
      else forget({ kind, id, language, memberId }, null)
    },
    clashes,
    /** What is here is kept, in place of the other tab's. */
    takeOver() {
      takesOver.current = true
      setClashes(false)
    },
    /** What the other tab has; null: it was saved or discarded there. Typing goes on from that. */
    async takeOthers(): Promise<Values | null> {
      const whose: Whose = { kind, id, language, memberId }
      try {
        const kept = await places[kind].find({ id, language })
        const here = readLocal(whose)
        seen.current = { local: here?.saved_at ?? null, server: kept?.saved_at ?? null }
        setClashes(false)
        return newer(here, kept, { saved, updatedAt })?.values ?? null
      } catch (error) {
        toast.failed(error)
        return null
      }
    },
  }
}

const isOfAnother = (local: Local | null, seenAt: string | null): boolean =>
  local?.writer !== undefined && local.writer !== TAB && local.saved_at !== seenAt

/** `seen`: what this tab kept, and what it found and went on from; another tab's stays. Null: all. */
function forget(whose: Whose, seen: { local: string | null; server: string | null } | null): void {
  const here = readLocal(whose)
  if (seen === null || !isOfAnother(here, seen.local)) writeLocal(whose, null)
  const query = seen === null ? {} : { writer: TAB, ...(seen.server !== null && { seen_at: seen.server }) }
  // What the server keeps all the same is offered once more, and is gone after a month.
  places[whose.kind].forget(whose, query).catch(() => undefined)
}

function newer<Values extends object>(
  local: Local | null,
  remote: Kept | null,
  { saved, updatedAt }: { saved: Values; updatedAt: string },
): Found<Values> | null {
  const isLocal = local !== null && (remote === null || local.saved_at > remote.saved_at)
  const draft = isLocal ? { ...local, is_behind: local.began_at < updatedAt } : remote
  if (!draft) return null
  const values = { ...saved, ...draft.fields }
  // Nothing but what is saved; or of the other editor, which has other fields.
  const isOfThis = Object.keys(draft.fields).every((field) => field in saved)
  if (!isOfThis || JSON.stringify(values) === JSON.stringify(saved)) return null
  return { values, at: draft.saved_at, isBehind: draft.is_behind }
}
