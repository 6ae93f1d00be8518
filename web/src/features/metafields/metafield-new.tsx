import { Radio, Select, Stack, TextInput } from '@mantine/core'
import {
  defaultMetafieldName,
  type MetafieldDefinition,
  MetafieldKey,
  NamespaceType,
} from '@okaeri/contract/metafields/metafield'
import { createMetafieldSetting, listMetafieldDefinitions } from '@okaeri/contract/metafields/routes'
import { isMetafieldType, type MetafieldType, metafieldTypeName } from '@okaeri/contract/metafields/value-type'
import { line } from '@okaeri/contract/fields'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { z } from 'zod'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditPage, EditSection } from '../../ui/pages/edit-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TypeSelect } from './metafield-form.tsx'

const Values = z.object({
  name: line(0, 100),
  key: MetafieldKey,
  namespace_type: NamespaceType,
  value_type: z.custom<MetafieldType>(),
})
type Values = z.output<typeof Values>

export function MetafieldNew() {
  const t = useWords('metafields')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const navigate = useNavigate()
  const made = useRef<string | null>(null)
  const [first] = useState<Values>({
    name: '',
    key: '',
    namespace_type: 'platform',
    value_type: 'single_line_text_field',
  })
  const form = useEditForm<Values>({
    values: first,
    schema: Values,
    save: async ({ name, ...values }) => {
      const { customer_metafield_setting: setting } = await call(createMetafieldSetting, {
        body: { ...values, key: values.key.trim(), ...(name.trim() && { name: name.trim() }) },
      })
      made.current = setting.id
      await refresh('metafields', 'emails', 'segments')
    },
    onSaved: () => {
      // Replaces the form, so that Back does not offer to create it again.
      if (made.current) void navigate({ to: paths.metafield(made.current), replace: true })
    },
  })
  // This locale formats days like the server's default name.
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: format.zone }).format(new Date())
  const inStore = form.values.namespace_type === 'platform'
  const choose = ({ key, name, value_type: type }: MetafieldDefinition) =>
    form.setAll({
      ...form.values,
      key,
      name: [...name].slice(0, 100).join(''),
      value_type: isMetafieldType(type) ? type : 'single_line_text_field',
    })

  return (
    <EditPage
      title={t('new.title')}
      back={{ to: paths.metafields(), label: t('title') }}
      form={form}
      labels={{ name: t('name'), key: t('key'), value_type: t('valueType'), namespace_type: t('namespaceType') }}
      saveLabel={t('new.create')}
      always
      onCancel={() => void navigate({ to: paths.metafields() })}
      readOnlyReason={!mayChange && t('viewerMayNot')}
    >
      <EditSection title={t('new.source')} description={t('new.sourceHelp')}>
        <Radio.Group
          aria-label={t('new.source')}
          value={form.values.namespace_type}
          onChange={(value) => form.set('namespace_type', value === 'custom' ? 'custom' : 'platform')}
        >
          <Stack gap="sm">
            <Radio value="platform" label={t('new.platform')} description={t('new.platformHelp')} />
            <Radio value="custom" label={t('new.custom')} description={t('new.customHelp')} />
          </Stack>
        </Radio.Group>
        {inStore && <DefinitionChoice chosen={form.values.key} onChoose={choose} />}
      </EditSection>
      <EditSection title={t('new.details')}>
        <TextInput
          label={t('key')}
          description={t('new.keyHelp')}
          placeholder="facts.birth_date"
          required
          withAsterisk
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('key')}
        />
        <TypeSelect
          description={t('new.typeHelp')}
          value={form.values.value_type}
          onChange={(type) => form.set('value_type', type)}
        />
        <TextInput
          label={t('name')}
          description={t('new.nameHelp', { name: defaultMetafieldName(today) })}
          {...form.field('name')}
        />
      </EditSection>
    </EditPage>
  )
}

function DefinitionChoice({ chosen, onChoose }: { chosen: string; onChoose: (one: MetafieldDefinition) => void }) {
  const t = useWords('metafields')
  const format = useFormat()
  const language = useLanguage()
  const { store } = useMerchant()
  const connected = store?.status === 'connected'
  const { data, error } = useQuery({ ...queryOf(listMetafieldDefinitions, {}), enabled: connected, retry: false })
  const definitions = data?.definitions ?? []
  if (!connected) return <Notice tone="warning">{t('new.notConnected')}</Notice>
  if (error) return <Notice tone="warning">{t('new.definitionsFailed')}</Notice>
  const noteOf = ({ key, value_type: type, count, setting_id: kept }: MetafieldDefinition) =>
    [
      key,
      isMetafieldType(type) ? metafieldTypeName(type, language) : type,
      t('people', { count, n: format.number(count) }),
      kept && t('new.kept'),
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <Select
      label={t('new.definition')}
      description={t('new.definitionHelp')}
      placeholder={t(data && definitions.length === 0 ? 'new.definitionNone' : 'new.choose')}
      searchable
      data={definitions.map((one) => ({
        value: one.key,
        label: one.name || one.key,
        disabled: one.setting_id !== null,
      }))}
      value={definitions.some(({ key }) => key === chosen) ? chosen : null}
      onChange={(key) => {
        const one = definitions.find((definition) => definition.key === key)
        if (one) onChoose(one)
      }}
      renderOption={({ option }) => {
        const one = definitions.find(({ key }) => key === option.value)
        return (
          <span>
            {option.label}
            <span style={{ display: 'block', fontSize: 12, color: 'var(--mantine-color-dimmed)' }}>
              {one && noteOf(one)}
            </span>
          </span>
        )
      }}
    />
  )
}
