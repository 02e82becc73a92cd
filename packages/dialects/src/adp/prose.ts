/** The two steps of a call, for a model that writes its calls into its text. */
export const adpDescription = `You call a tool in two steps, each the last thing of a message.

First ask for its parameters. You are told them in \`<result>\` before your next message, and nothing is executed:

<tool_param>
  <tool_id>{service}</tool_id>
  <action>{action}</action>
</tool_param>

Then, in a message of its own, make the call: a JSON object with these parameters, between the tags of the action and of its service, and after it \`<execute_tools />\`:

<{service}>
  <{action}>
    {"parameter": "value"}
  </{action}>
</{service}>
<execute_tools />

The message ends there, and what came of the call is in the \`<result>\` before your next one. A message asks for parameters or makes calls, never both: calls beside a question for parameters are not executed. You may ask for the parameters of several tools in one message. Never write \`<result>\` yourself.
`;

/** The two steps of a call, for a model with tool calls. */
export const native = `You call a tool in two steps. First ask for its parameters with \`param_query\`:

param_query {"tool_id": "{service}", "action": "{action}"}

It executes nothing, and its result says which parameters there are, of which type, and which of them must be there. Then call the tool with these parameters:

{action} {"parameter": "value"}
`;

/** Asks for parameters where the model is not sure. */
export const optional = `Ask for the parameters of a tool whenever you are not sure of them. Do not guess.
`;

/** Asks for parameters before the first call of each tool. */
export const oncePerTool = `Before you call a tool for the first time, ask for its parameters, also where you believe that you know them. For later calls of the same tool you need not ask again.
`;

/** Asks for parameters before every call. */
export const always = `Before every call of a tool ask for its parameters, also where you were told them before.
`;
