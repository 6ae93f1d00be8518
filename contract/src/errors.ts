import { z } from 'zod'

/** Every error code with the HTTP status it is answered with. Closed: a new code is a decision. */
export const errorStatus = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const
export type ErrorCode = keyof typeof errorStatus

/**
 * Stable words that say why, one per situation; `web` turns each into Japanese and English and fails to compile when one is
 * missing there. Field reasons (the values of `fields`) are {@link fieldReasons}.
 */
export const reasons = [
  // the request itself
  'validation',
  'malformed_json',
  'wrong_content_type',
  'body_too_large',
  'unknown_route',
  'wrong_method',
  'not_found',
  'bad_request',
  'internal',
  'unavailable',
  'database_away',
  'database_busy',
  'disk_full',
  'stopping',
  'rate_limited',
  // sign-in
  'sign_in_required',
  'wrong_credentials',
  'token_invalid',
  'token_reused',
  'reset_token_invalid',
  'wrong_current_password',
  'email_taken',
  'password_guessable',
  'sign_up_closed',
  'sign_up_by_invitation',
  'confirmation_link_invalid',
  'account_unconfirmed',
  'sender_unconfirmed',
  'test_address_unconfirmed',
  'test_mails_used_up',
  'role_forbids',
  'captcha_failed',
  'operator_only',
  // merchant and plan
  'plan_forbids_leaving_test_mode',
  'store_under_review',
  'plan_forbids_provider',
  'provider_fixed',
  'sender_domain_public',
  // store platform
  'store_signature_invalid',
  'store_state_invalid',
  'store_not_connected',
  'store_connected_elsewhere',
  'store_sign_in_ended',
  'store_unreachable',
  'store_refused',
  'sync_running',
  'not_compared',
  // customers
  'customer_exists',
  'customer_has_no_email',
  'too_many_views',
  'already_suppressed',
  'suppression_lifted',
  // metafields
  'metafield_in_use',
  'metafield_exists',
  'metafield_limit',
  // segments
  'segment_in_use',
  'segment_remote_readonly',
  'too_many_segments',
  'condition_invalid',
  'condition_too_slow',
  // emails
  'email_in_use',
  'template_broken',
  'template_not_offered',
  'template_too_costly',
  // campaigns
  'campaign_not_draft',
  'campaign_not_editable',
  'campaign_not_reserved',
  'campaign_sends_too_soon',
  'campaign_not_undoable',
  'finding_not_accepted',
  'campaign_not_deletable',
  'campaign_not_resyncable',
  'campaign_not_resolvable',
  'campaign_not_late',
  'campaign_not_sending',
  'campaign_changed_since_review',
  'preflight_failed',
  'reservation_in_past',
  'audience_empty',
  'store_being_copied',
  'nothing_uncertain',
  // scenarios
  'plan_forbids_flow_editor',
  'scenario_incomplete',
  'scenario_not_active',
  'scenario_is_active',
  'scenario_not_in_form',
  'scenario_changed_meanwhile',
  'scenario_in_use',
  'too_many_scenarios_active',
  'execution_status_forbids',
  'scenario_not_manual',
  'scenario_not_braked',
  'people_changed',
  'people_still_entering',
  'no_test_event',
  // imports
  'import_too_large',
  'import_is_archive',
  'import_is_spreadsheet',
  'import_is_binary',
  'import_empty',
  'import_too_many_columns',
  'import_row_too_long',
  'import_too_many_waiting',
  'import_not_waiting',
  'import_not_running',
  'import_running',
  'import_mapping_incomplete',
  // subscription pages
  'link_invalid',
] as const
export type Reason = (typeof reasons)[number]

/** What can be wrong with one field. */
export const fieldReasons = [
  'required',
  'too_short',
  'too_long',
  'too_small',
  'too_big',
  'not_a_number',
  'not_whole',
  'not_a_boolean',
  'not_a_text',
  'not_a_list',
  'not_an_object',
  'not_an_id',
  'not_a_date',
  'not_an_email',
  'not_a_phone',
  'not_a_url',
  'not_a_timezone',
  'not_allowed',
  'unknown_field',
  'control_characters',
  'in_past',
  'not_found',
  'public_mail_domain',
  'template_syntax',
  'metafield_key_form',
  'birthday_metafield_form',
  'address_unconfirmed',
  'too_common',
  'own_name',
  'passwords_differ',
  'wrong_password',
  'circular',
  'too_deep',
  'nested_too_deep',
  'invalid',
] as const
export type FieldReason = (typeof fieldReasons)[number]

export const ErrorBody = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
      reason: z.enum(reasons),
      message: z.string(),
      /** By field path (`conditions.children.0.value`): what is wrong with it. */
      fields: z.record(z.string(), z.enum(fieldReasons)).optional(),
    }),
  })
  .meta({ id: 'Error' })
export type ErrorBody = z.output<typeof ErrorBody>
