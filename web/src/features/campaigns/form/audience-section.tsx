import { Box, Group, Radio, Stack, Text } from '@mantine/core'
import { SegmentType } from '@okaeri/contract/campaigns/campaign'
import { getTargetCounts, listSegments } from '@okaeri/contract/segments/routes'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { EditSection } from '../../../ui/pages/edit-page.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { SearchSelect } from '../../../ui/search-select.tsx'
import { type CampaignDraftForm, type Values } from '../campaign-values.ts'

const MAX_SEGMENTS_OFFERED = 20

/** Numbers of the chosen segment; undefined until known (a count failing is no reason not to go on). */
function useReach(values: Values) {
  const id = values.segment_type === 'all' ? null : values.customer_segment_id
  const query = useQuery({
    ...queryOf(getTargetCounts, { params: { id: id ?? '' }, query: { send_to_all: String(values.send_to_all) } }),
    enabled: id !== null,
  })
  return id === null ? undefined : query.data?.target_counts
}

export function AudienceSection({
  form,
  savedSegmentName,
}: {
  form: CampaignDraftForm
  savedSegmentName: string | undefined
}) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { values, set, field } = form
  const reach = useReach(values)
  const { error } = field('customer_segment_id')
  const origin = values.segment_type === 'remote' ? 'remote' : 'own'
  return (
    <EditSection title={t('form.audience')} description={t('form.audienceText')}>
      <Radio.Group
        aria-label={t('form.audience')}
        value={values.segment_type}
        onChange={(value) => {
          set('segment_type', SegmentType.parse(value))
          // A segment is of one kind or the other.
          set('customer_segment_id', null)
        }}
      >
        <Stack gap="sm">
          <Radio value="own" label={t('form.own')} description={t('form.ownText')} />
          <Radio value="all" label={t('form.all')} description={t(`form.allText.${values.channels}`)} />
          <Radio value="remote" label={t('form.remote')} description={t('form.remoteText')} />
        </Stack>
      </Radio.Group>
      {values.segment_type !== 'all' && (
        <Box>
          <SearchSelect
            key={values.segment_type}
            label={t('form.segment')}
            placeholder={t('form.segmentPlaceholder')}
            value={values.customer_segment_id}
            valueLabel={savedSegmentName}
            onChange={(id) => set('customer_segment_id', id)}
            error={error}
            clearable
            area={listSegments.area}
            among={origin}
            find={async (q) =>
              (await call(listSegments, { query: { limit: MAX_SEGMENTS_OFFERED, origin, ...(q && { q }) } })).data.map(
                (segment) => ({
                  value: segment.id,
                  label: segment.name,
                  note:
                    segment.customer_count === null
                      ? t('form.segmentCalculating')
                      : t('form.segmentCount', { n: format.number(segment.customer_count) }),
                }),
              )
            }
          />
          <Group justify="space-between" gap="xs" mt={6}>
            <Text size="sm" role="status" mih={22}>
              {reach &&
                t(`form.segmentReach.${values.channels}`, {
                  total: format.number(reach.total),
                  reachable: format.number(reach.reachable),
                  line: format.number(reach.reachable_by_line),
                })}
            </Text>
            {origin === 'own' && (
              <TextLink to={paths.segmentNew()} target="_blank" fz="sm">
                {t('form.newSegment')}
                {t('form.newTab')}
              </TextLink>
            )}
          </Group>
        </Box>
      )}
    </EditSection>
  )
}
