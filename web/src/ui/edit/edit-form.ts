import { useForm } from '@mantine/form'
import { ApiError } from '@okaeri/contract/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { useLanguage } from '../../app/i18n.ts'
import { fieldReasonText } from '../../app/reasons.ts'
import { fieldErrors } from './field-errors.ts'
import { toast } from '../toast.ts'
import { useUnsavedGuard } from './unsaved.ts'

/** `save` answers this if the person cancelled: the typed values stay, unsaved. */
export const NOT_SAVED = Symbol('not saved')

interface EditFormInit<Values extends Record<string, unknown>> {
  /** The saved values. If they change elsewhere and nothing was typed here, the form follows. */
  values: Values
  /** Checked before sending; its messages are the contract's field reasons. Usually the endpoint's own body schema. */
  schema?: z.core.$ZodType | ((began: Values) => z.core.$ZodType) | undefined
  /**
   * Sends the values; an ApiError's fields are shown at the fields. `began`: the values before they were changed here, so that a difference is
   * the person's own change, not what another member saved meanwhile. `seen`: the saved values that the person knows and may write over.
   */
  save: (values: Values, began: Values, seen: Values) => Promise<unknown>
  /** The prefix of the server's field paths (`userSetting.`), which the form's paths do not have. */
  fieldPrefix?: string
  /** Empties the fields again after a save (passwords). */
  emptiesAfterSave?: boolean
  /** False: does not show 'Saved!'. */
  saysSaved?: boolean
  /** False: does not show 'Error: {error}'; for short forms, which show their summary of errors instead. */
  saysFailed?: boolean
  /** After a save. It may leave the page without a question. */
  onSaved?: () => void
}

/**
 * A form with a save button: dirty state with a question before leaving, errors at the fields as reasons of the contract in the current
 * language, and no lost input after a failed save. Inputs take `{...form.field('name')}`.
 */
export function useEditForm<Values extends Record<string, unknown>>(init: EditFormInit<Values>) {
  const language = useLanguage()
  const inner = useForm<Values>({ mode: 'controlled', initialValues: init.values })
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<ApiError | null>(null)
  const dirty = inner.isDirty()
  const [justSaved, setJustSaved] = useState(false)
  const guard = useUnsavedGuard(dirty && !justSaved)

  const given = JSON.stringify(init.values)
  const taken = useRef(given)
  useEffect(() => {
    if (dirty || saving || taken.current === given) return
    taken.current = given
    const values = JSON.parse(given) as Values
    inner.setInitialValues(values)
    inner.setValues(values)
  }, [given, dirty, saving, inner])

  const { onSaved } = init
  // After the rendering without the guard, so that onSaved may leave the page.
  useEffect(() => {
    if (!justSaved) return
    setJustSaved(false)
    onSaved?.()
  }, [justSaved, onSaved])

  /** The last saved values, if the page is then left: a second click before that must not save or create it twice. */
  const leavingWith = useRef<string | null>(null)
  const submit = async (overwrites = false) => {
    const values = inner.getValues()
    if (saving || leavingWith.current === JSON.stringify(values)) return
    const began = inner.getInitialValues()
    const schema = typeof init.schema === 'function' ? init.schema(began) : init.schema
    const checked = schema && z.safeParse(schema, values)
    if (checked && !checked.success) {
      inner.setErrors(fieldErrors(checked.error.issues, values))
      setFailure(null)
      return focusFirstError()
    }
    inner.clearErrors()
    setFailure(null)
    setSaving(true)
    try {
      if ((await init.save(values, began, overwrites ? init.values : began)) === NOT_SAVED) return
      if (onSaved) leavingWith.current = JSON.stringify(values)
      taken.current = given
      if (init.emptiesAfterSave) inner.reset()
      else {
        inner.setInitialValues(values)
        inner.resetDirty()
      }
      setJustSaved(true)
      if (init.saysSaved !== false) toast.saved()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const prefix = init.fieldPrefix ?? ''
      inner.setErrors(
        Object.fromEntries(
          Object.entries(error.fields).map(([path, reason]) => [
            path.startsWith(prefix) ? path.slice(prefix.length) : path,
            reason,
          ]),
        ),
      )
      setFailure(error)
      if (init.saysFailed !== false) toast.failed(error)
      if (Object.keys(error.fields).length > 0) focusFirstError()
      else if (init.saysFailed === false) showSummary()
    } finally {
      setSaving(false)
    }
  }

  const { getInputProps } = inner
  const field = (path: string, options?: { type: 'checkbox' }) => {
    const { error, ...props } = getInputProps(path as never, options ?? {})
    return { ...props, error: typeof error === 'string' ? fieldReasonText(error, language) : undefined, name: path }
  }
  const reset = useCallback(() => {
    inner.reset()
    setFailure(null)
  }, [inner])

  return {
    values: inner.values,
    /** The values before they were changed here. */
    began: inner.getInitialValues(),
    set: <K extends keyof Values & string>(name: K, value: Values[K]) =>
      inner.setFieldValue(name as never, value as never),
    setAll: inner.setValues,
    /** Value, change handler and error of one field (`sending_hours.start` for nested ones). */
    field,
    /** Field reasons by path. */
    errors: inner.errors as Record<string, string>,
    setErrors: inner.setErrors,
    failure,
    dirty,
    saving,
    submit: () => void submit(),
    /** Saves over what another member saved meanwhile, which the person was shown. */
    overwrite: () => void submit(true),
    reset,
    guard,
  }
}
export type EditForm = Pick<
  ReturnType<typeof useEditForm>,
  'errors' | 'failure' | 'dirty' | 'saving' | 'submit' | 'reset' | 'guard'
>

/** After the errors are on the page. */
function focusFirstError(): void {
  requestAnimationFrame(() => {
    const first = document.querySelector('main [aria-invalid="true"], [role="dialog"] [aria-invalid="true"]')
    if (first instanceof HTMLElement) first.focus()
  })
}

/** After it is on the page, so that it is seen by the person who pressed the button below it. */
function showSummary(): void {
  requestAnimationFrame(() => document.querySelector('main [role="alert"]')?.scrollIntoView({ block: 'nearest' }))
}
