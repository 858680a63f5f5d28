// Names that the family's packages export and that are not here: facts about them, taken from their
// declarations. One that is there by now is no harm: what Tau has outweighs this list.

const names = (list: string): readonly string[] => list.trim().split(/\s+/);

/** By the part of the package's name behind the scope. */
export const ABSENT_EXPORTS: Readonly<Record<string, readonly string[]>> = {
  "pi-coding-agent": names(`
    AgentSessionRuntime ArminComponent AssistantMessageComponent AuthStorage
    BashExecutionComponent BranchSummaryMessageComponent CURRENT_SESSION_VERSION
    CompactionSummaryMessageComponent CredentialSynchronizationError CustomMessageComponent
    DefaultResourceLoader ExtensionEditorComponent ExtensionInputComponent ExtensionRunner
    ExtensionSelectorComponent FileAuthStorageBackend FooterComponent InMemoryAuthStorageBackend
    InteractiveMode LoginDialogComponent ModelRegistry ModelRuntime OAuthSelectorComponent
    ProjectTrustStore RpcClient SessionSelectorComponent SettingsSelectorComponent
    ShowImagesSelectorComponent SkillInvocationMessageComponent Theme ThemeSelectorComponent
    ThinkingSelectorComponent ToolExecutionComponent TreeSelectorComponent UserMessageComponent
    UserMessageSelectorComponent VIRTUAL_MODEL_STATE_ENTRY buildSessionProjection
    collectEntriesForBranchSummary compact convertToPng createAgentSession
    createAgentSessionFromServices createAgentSessionRuntime createAgentSessionServices
    createAllTools createCodemodeExtension createExtensionRuntime createLocalPowerShellOperations
    createMcpExtension createPowerShellTool createPowerShellToolDefinition
    createSyntheticSourceInfo createToolSearchExtension detectSupportedImageMimeTypeFromFile
    discoverAndLoadExtensions findCutPoint findTurnStartIndex formatDimensionNote
    generateBranchSummary generateDiffString generateSummary generateSummaryWithUsage
    generateUnifiedPatch getPowerShellConfig getShellConfig hasTrustRequiringProjectResources
    initTheme loadProjectContextFiles main migrateSessionEntries parseArgs parseSkillBlock
    prepareBranchEntries renderDiff resizeImage resolveCliModel resolveModelScopeWithDiagnostics
    runPrintMode runRpcMode truncateToVisualLines wrapRegisteredTool wrapRegisteredTools
  `),
  "pi-tui": names(`
    CombinedAutocompleteProvider ProcessTerminal StdinBuffer allocateImageId deleteAllKittyImages
    deleteKittyImage encodeITerm2 encodeKitty getGifDimensions getJpegDimensions getPngDimensions
    getWebpDimensions resetCapabilitiesCache setCapabilities setCellDimensions
  `),
  "pi-ai": names(`
    AI_TELEMETRY_SCHEMA DEFAULT_MAX_AGENT_RETRY_DELAY_MS EventStream InMemoryCredentialStore
    InMemoryModelsStore ModelsError PI_AI_VERSION PI_ATTRIBUTION StreamingJsonParser
    ToolCallArgumentsStream anthropicMessagesApi appendAssistantMessageDiagnostic
    cleanupSessionResources clearApiProviders collapseSystemMessages
    createAssistantMessageDiagnostic createFauxCore createInitialSystemMessage createModels
    createProvider declarationsEqual defaultProviderAuthContext envApiKeyAuth
    extractDiagnosticError fauxAssistantMessage fauxProvider fauxText fauxThinking fauxToolCall
    findEnvKeys formatThrownValue formatUserAgent generateImages generateImagesOpenRouter
    getApiProvider getApiProviders getAttributionHeaders getClientVersion getCurrentSystemMessage
    getCurrentSystemPrompt getCurrentTools getDeclaredTools getIdentityHeaders getImageModel
    getImageModels getImageProviders getImagesApiProvider getInitialSystemMessage getModelType
    getOpenCodeSessionHeaders getOverflowPatterns getSystemMessageText getToolStateChanges hasApi
    hasNonAdditiveToolChanges hasToolRedefinitions isModelType isRecoverableLength
    isRetryableAssistantError lazyApi lazyOAuth lazyStream mergeClientIdentity normalizeContext
    openAICompletionsApi openAIResponsesApi parseJsonWithRepair parseStreamingJson
    parseToolCallArguments registerApiProvider registerBuiltInApiProviders
    registerBuiltInImagesApiProviders registerFauxProvider registerImagesApiProvider
    registerSessionResourceCleanup renderSystemMessageUpdate repairJson resetApiProviders
    resolveTranscript resolveTranscriptTools retryAssistantCall retryDelayMs
    setBedrockProviderModule streamAnthropic streamAzureOpenAIResponses streamGoogle
    streamGoogleVertex streamMistral streamOpenAICodexResponses streamOpenAICompletions
    streamOpenAIResponses streamSimpleAnthropic streamSimpleAzureOpenAIResponses
    streamSimpleGoogle streamSimpleGoogleVertex streamSimpleMistral
    streamSimpleOpenAICodexResponses streamSimpleOpenAICompletions streamSimpleOpenAIResponses
    toToolDeclaration unregisterApiProviders validateToolArguments validateToolCall
    withClientIdentity withoutInitialSystemMessage
  `),
};
