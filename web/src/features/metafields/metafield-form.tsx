import { Select, type SelectProps } from '@mantine/core'
import {
  type MetafieldType,
  metafieldTypeName,
  metafieldTypes,
  metafieldUnitOf,
} from '@okaeri/contract/metafields/value-type'
import { useLanguage, useWords } from '../../app/i18n.ts'

type Props = Omit<SelectProps, 'value' | 'onChange' | 'data' | 'description'> & {
  description: string
  value: MetafieldType
  onChange: (type: MetafieldType) => void
}

/** The platform's types by our names; the search also finds the platform's names. */
export function TypeSelect({ value, onChange, description, ...rest }: Props) {
  const t = useWords('metafields')
  const language = useLanguage()
  const unit = metafieldUnitOf(value)
  const data = metafieldTypes.map((type) => ({ value: type, label: metafieldTypeName(type, language) }))
  return (
    <Select
      {...rest}
      label={t('valueType')}
      description={unit ? `${description} ${t('page.comparedIn', { unit })}` : description}
      data={data}
      value={value}
      onChange={(type) => {
        const chosen = metafieldTypes.find((one) => one === type)
        if (chosen) onChange(chosen)
      }}
      searchable
      allowDeselect={false}
      filter={({ options, search }) =>
        options.filter(
          (option) =>
            'value' in option && `${option.label} ${option.value}`.toLowerCase().includes(search.trim().toLowerCase()),
        )
      }
    />
  )
}
