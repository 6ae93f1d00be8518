import { Box, Checkbox, Divider, Group, NumberInput, Text, TextInput } from '@mantine/core'
import { getEmail } from '@okaeri/contract/emails/routes'
import { ApiError } from '@okaeri/contract/client'
import { getLineMessage } from '@okaeri/contract/line-messages/routes'
import type { FormValues } from '@okaeri/contract/scenarios/scenario'
import type { SchemaField } from '@okaeri/contract/scenarios/template'
import { getSegment, listSegments } from '@okaeri/contract/segments/routes'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { fieldReasonText } from '../../../app/reasons.ts'
import { TextLink } from '../../../ui/links.tsx'
import { SearchSelect } from '../../../ui/search-select.tsx'
import { ChosenEmail } from '../../emails/chosen-email.tsx'
import { EmailSelect } from '../../emails/email-select.tsx'
import { LineMessageSelect } from '../../line-messages/line-message-select.tsx'
import classes from './schema-field.module.css'

const CHOICES = 20

interface SchemaFieldsProps {
  schema: readonly SchemaField[]
  values: FormValues
  /** Field reasons by slug. */
  errorOf: (slug: string) => string | undefined
  onChange: (slug: string, value: FormValues[string]) => void
}

/** Whether a field matters: the checkbox it depends on is checked. */
export const matters = (field: SchemaField, values: FormValues): boolean =>
  field.depends === null || values[field.depends] === true

/** A template's form, drawn from its schema (spec §3). */
export function SchemaFields({ schema, values, errorOf, onChange }: SchemaFieldsProps) {
  const language = useLanguage()
  return schema
    .filter((field) => matters(field, values))
    .map((field) => {
      const label = language === 'ja' ? field.nameJa : field.nameEn
      const description = language === 'ja' ? field.descriptionJa : field.descriptionEn
      if (field.type === 'separator') return <Divider key={field.slug} label={label} labelPosition="left" mt="xs" />
      return (
        <div key={field.slug} className={field.depends === null ? undefined : classes.dependent}>
          <Field
            field={field}
            label={label}
            description={description}
            value={values[field.slug] ?? null}
            reason={errorOf(field.slug)}
            onChange={(value) => onChange(field.slug, value)}
          />
        </div>
      )
    })
}

interface FieldProps {
  field: SchemaField
  label: string
  description: string
  value: FormValues[string]
  reason: string | undefined
  onChange: (value: FormValues[string]) => void
}
function Field(props: FieldProps) {
  const { field, label, description, value, reason, onChange } = props
  const language = useLanguage()
  const error = reason && fieldReasonText(reason, language)
  const common = {
    label,
    ...(description && { description: <WithTags text={description} /> }),
    name: `form.${field.slug}`,
  }
  switch (field.type) {
    case 'number':
      return <NumberOf {...props} />
    case 'checkbox':
      return (
        <Checkbox
          {...common}
          checked={value === true}
          error={error}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    case 'text':
      return (
        <TextInput
          {...common}
          value={typeof value === 'string' ? value : ''}
          {...(field.max !== null && { maxLength: field.max })}
          maw={320}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'emailtemplate':
      return <EmailOf {...props} />
    case 'linemessage':
      return <LineMessageOf {...props} />
    case 'segment':
      return <SegmentOf {...props} />
    case 'separator':
      return null
  }
}

/** What is typed into emails literally (`{{ coupon.code }}`, `[coupon]`) is shown as code. */
const WithTags = ({ text }: { text: string }) =>
  text.split(/(\{\{.*?\}\}|\[\w+\])/).map((part, at) =>
    at % 2 === 1 ? (
      <code key={`${at} ${part}`} className={classes.tag}>
        {part}
      </code>
    ) : (
      part
    ),
  )

function NumberOf({ field, label, description, value, reason, onChange }: FieldProps) {
  const t = useWords('scenarios')
  const format = useFormat()
  const suffix = format.language === 'ja' ? field.suffixJa : field.suffixEn
  const { min, max } = field
  const bounds = { min: format.number(min ?? 0), max: format.number(max ?? 0) }
  const error =
    reason === undefined
      ? undefined
      : reason === 'not_a_number' || reason === 'required'
        ? t('form.number.missing')
        : (reason === 'too_small' || reason === 'too_big') && min !== null && max !== null
          ? t('form.number.wrong', bounds)
          : fieldReasonText(reason, format.language)
  return (
    <NumberInput
      label={label}
      description={description || undefined}
      name={`form.${field.slug}`}
      value={typeof value === 'number' ? value : ''}
      // A number out of range is reported, not changed while someone types.
      clampBehavior="none"
      allowDecimal={false}
      {...(min !== null && { min })}
      {...(max !== null && { max })}
      error={error}
      onChange={(next) => onChange(typeof next === 'number' ? next : next === '' ? null : Number(next))}
      inputContainer={(input) => (
        <Group gap="xs" wrap="nowrap">
          <Box w={112} className={classes.number}>
            {input}
          </Box>
          <Text size="sm">{suffix}</Text>
          {min !== null && max !== null && (
            <Text size="xs" c="dimmed" className="numbers">
              {t('form.number.range', bounds)}
            </Text>
          )}
        </Group>
      )}
    />
  )
}

function EmailOf({ field, label, description, value, reason, onChange }: FieldProps) {
  const t = useWords('scenarios')
  const { mayChange } = useMerchant()
  const language = useLanguage()
  const id = typeof value === 'string' && value !== '' ? value : null
  const chosen = useQuery({ ...queryOf(getEmail, { params: { id: id ?? '' } }), enabled: id !== null })
  const gone = chosen.error instanceof ApiError && chosen.error.status === 404
  const shownError = reason ? fieldReasonText(reason, language) : gone && t('form.emailGone')
  return (
    <Group align="flex-start" gap="md" wrap="wrap">
      {id && !gone && <ChosenEmail id={id} />}
      <Box flex="1 1 260px">
        <EmailSelect
          label={label}
          description={description || undefined}
          placeholder={t('form.emailPlaceholder')}
          value={id}
          valueLabel={gone ? t('form.emailGoneLabel') : chosen.data?.email.name}
          onChange={onChange}
          error={shownError}
        />
        {id === null && (
          <Text size="sm" c="dimmed" mt={6}>
            {t(field.required ? 'form.emailNeeded' : 'form.emailEmpty')}
          </Text>
        )}
        <Group gap="md" mt={6}>
          {id && !gone && (
            <TextLink to={paths.email(id)} target="_blank" fz="sm">
              {t('form.openMail')}
              {t('form.newTab')}
            </TextLink>
          )}
          {mayChange && (
            <TextLink to={paths.emailNew()} target="_blank" fz="sm">
              {t('form.createMail')}
              {t('form.newTab')}
            </TextLink>
          )}
        </Group>
      </Box>
    </Group>
  )
}

function LineMessageOf({ field, label, description, value, reason, onChange }: FieldProps) {
  const t = useWords('scenarios')
  const { mayChange } = useMerchant()
  const language = useLanguage()
  const id = typeof value === 'string' && value !== '' ? value : null
  const chosen = useQuery({ ...queryOf(getLineMessage, { params: { id: id ?? '' } }), enabled: id !== null })
  const gone = chosen.error instanceof ApiError && chosen.error.status === 404
  return (
    <Box>
      <LineMessageSelect
        label={label}
        description={description || undefined}
        placeholder={t('form.linePlaceholder')}
        value={id}
        valueLabel={gone ? t('form.lineGoneLabel') : chosen.data?.line_message.name}
        onChange={onChange}
        error={reason ? fieldReasonText(reason, language) : gone && t('form.lineGone')}
      />
      {id === null && field.required && (
        <Text size="sm" c="dimmed" mt={6}>
          {t('form.lineNeeded')}
        </Text>
      )}
      <Group gap="md" mt={6}>
        {id && !gone && (
          <TextLink to={paths.lineMessage(id)} target="_blank" fz="sm">
            {t('form.openLine')}
            {t('form.newTab')}
          </TextLink>
        )}
        {mayChange && (
          <TextLink to={paths.lineMessageNew()} target="_blank" fz="sm">
            {t('form.createLine')}
            {t('form.newTab')}
          </TextLink>
        )}
      </Group>
    </Box>
  )
}

function SegmentOf({ label, description, value, reason, onChange }: FieldProps) {
  const t = useWords('scenarios')
  const language = useLanguage()
  const id = typeof value === 'string' && value !== '' ? value : null
  const chosen = useQuery({ ...queryOf(getSegment, { params: { id: id ?? '' } }), enabled: id !== null })
  return (
    <SearchSelect
      label={label}
      description={description || undefined}
      placeholder={t('form.segmentPlaceholder')}
      value={id}
      valueLabel={chosen.data?.customer_segment.name}
      onChange={onChange}
      error={reason && fieldReasonText(reason, language)}
      clearable
      area={listSegments.area}
      find={async (q) =>
        (await call(listSegments, { query: { limit: CHOICES, ...(q && { q }) } })).data.map((segment) => ({
          value: segment.id,
          label: segment.name,
        }))
      }
    />
  )
}
