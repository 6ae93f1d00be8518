import { deleteEmailDraft, getEmailDraft, keepEmailDraft } from '@okaeri/contract/emails/version-routes'
import { EmailDraftFields } from '@okaeri/contract/emails/version'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { call } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useMerchant } from '../../app/merchant.tsx'
import type { EmailLanguage } from './email-language.ts'

/** In the browser at once, on the server once nothing was typed for so long. */
const KEPT_AFTER_MS = 2_000

const Local = z.object({ fields: EmailDraftFields, saved_at: z.iso.datetime(), began_at: z.iso.datetime() })
/** Of one member: another who signs in to this browser is not shown it. */
const keyOf = ({ memberId, emailId, language }: Whose): string =>
  `email-draft.${memberId}.${emailId}${language === null ? '' : `.${language}`}`
const queryOfLanguage = (language: EmailLanguage) => (language === null ? {} : { language })
interface Whose {
  memberId: string
  emailId: string
  language: EmailLanguage
}

/** What this browser kept, where the server could not be reached or the sign-in had ended; null too where the browser keeps nothing. */
function readLocal(whose: Whose): z.output<typeof Local> | null {
  try {
    const read = Local.safeParse(JSON.parse(localStorage.getItem(keyOf(whose)) ?? 'null'))
    return read.success ? read.data : null
  } catch {
    // Not readable: of an older version of the program, or not allowed here.
    return null
  }
}
function writeLocal(whose: Whose, draft: z.output<typeof Local> | null): void {
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

interface EmailDraftInit<Values extends EmailDraftFields> {
  emailId: string
  /** Each of the email's languages has a draft of its own. */
  language: EmailLanguage
  /** When the email was saved. */
  updatedAt: string
  values: Values
  saved: Values
  dirty: boolean
  mayChange: boolean
}

/**
 * Keeps what is typed without a save, and answers what was kept before: of this member, here or on another machine. A failed save, an expired
 * sign-in or a closed tab loses nothing. After a save nothing is kept.
 */
export function useEmailDraft<Values extends EmailDraftFields>(init: EmailDraftInit<Values>) {
  const { emailId, language, updatedAt, values, saved, dirty, mayChange } = init
  const { member } = useMerchant()
  const memberId = member.id
  const [local] = useState(() => readLocal({ memberId, emailId, language }))
  const [isAnswered, setIsAnswered] = useState(false)
  const server = useQuery({
    ...queryOf(getEmailDraft, { params: { id: emailId }, query: queryOfLanguage(language) }),
    refetchInterval: false,
    refetchOnWindowFocus: false,
    enabled: mayChange,
  })
  const found = isAnswered || server.data === undefined ? null : newer(local, server.data.draft, { saved, updatedAt })

  const given = JSON.stringify(values)
  const wasKept = useRef(false)
  const isAsking = found !== null
  useEffect(() => {
    if (!mayChange || isAsking) return undefined
    if (!dirty) {
      // Saved, or typed back.
      if (wasKept.current) forget({ memberId, emailId, language })
      wasKept.current = false
      return undefined
    }
    const fields = JSON.parse(given) as Values
    writeLocal({ memberId, emailId, language }, { fields, saved_at: new Date().toISOString(), began_at: updatedAt })
    wasKept.current = true
    const timer = setTimeout(() => {
      // What does not arrive is kept here.
      call(keepEmailDraft, {
        params: { id: emailId },
        query: queryOfLanguage(language),
        body: { fields, began_at: updatedAt },
      }).catch(() => undefined)
    }, KEPT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [given, dirty, mayChange, isAsking, memberId, emailId, language, updatedAt])

  return {
    found,
    /** The person has chosen. */
    answered(keeps: boolean) {
      setIsAnswered(true)
      if (keeps) wasKept.current = true
      else forget({ memberId, emailId, language })
    },
  }
}

function forget(whose: Whose): void {
  writeLocal(whose, null)
  // What the server keeps all the same is offered once more, and is gone after a month.
  call(deleteEmailDraft, { params: { id: whose.emailId }, query: queryOfLanguage(whose.language) }).catch(
    () => undefined,
  )
}

function newer<Values extends EmailDraftFields>(
  local: z.output<typeof Local> | null,
  remote: { fields: EmailDraftFields; saved_at: string; is_behind: boolean } | null,
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
