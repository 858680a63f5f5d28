// One spelling for a model's name. Hosts file the same model under many ids
// (`us.anthropic.claude-opus-4-6-v1`, `accounts/fireworks/models/kimi-k2p6`,
// `hf:zai-org/GLM-5.2`); what is known of a model is known by its maker's name for it.

export function plainName(id: string): string {
  const name = id
    .toLowerCase()
    // Folders and namespaces of hosts.
    .replace(/^.*\//, "")
    .replace(/^(?:[a-z-]+\.)?deepseek\./, "deepseek-")
    .replace(/^(?:[a-z-]+\.)*(?:anthropic|amazon|meta|mistral|openai|xai|google)\./, "")
    .replace(/^(?:[a-z]+\.)?(?:qwen|moonshot(?:ai)?|minimax|zai|nvidia|writer)\.(?=[a-z])/, "")
    .replace(/^(?:duo-chat|zai-org|z-ai|zai|openai|xiaomi|google|nvidia)-(?=[a-z]+[\d-])/, "")
    .replace(/^(opus|sonnet|haiku|fable)-(?=\d)/, "claude-$1-");
  return (
    name
      // Versions are written with dots: k2p6, 4-6 and gpt-54 are 2.6, 4.6 and 5.4.
      .replace(/(\d)p(\d)/g, "$1.$2")
      .replace(/(\d)-(\d{1,2})(?![\da-z])/g, "$1.$2")
      .replace(/^gpt-(\d)(\d)(?!\d)/, "gpt-$1.$2")
      .replace(/^qwen-(?=3)/, "qwen")
  );
}
