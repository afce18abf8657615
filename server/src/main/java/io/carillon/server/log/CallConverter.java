package io.carillon.server.log;

import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.config.plugins.Plugin;
import org.apache.logging.log4j.core.pattern.ConverterKeys;
import org.apache.logging.log4j.core.pattern.LogEventPatternConverter;
import org.apache.logging.log4j.core.pattern.PatternConverter;
import org.jspecify.annotations.Nullable;

/** {@code %call} in a pattern: a blank and the Call-ID in brackets, or nothing. */
@Plugin(name = "CallOfLine", category = PatternConverter.CATEGORY)
@ConverterKeys("call")
public final class CallConverter extends LogEventPatternConverter {
    private static final CallConverter ONLY = new CallConverter();

    private CallConverter() {
        super("CallOfLine", "call");
    }

    /** Called by the logging system. */
    public static CallConverter newInstance(String @Nullable [] options) {
        return ONLY;
    }

    @Override
    public void format(LogEvent event, StringBuilder to) {
        String callId = event.getContextData().getValue(CallFields.CALL_ID);
        if (callId != null) {
            to.append(" [call ").append(callId).append(']');
        }
    }
}
