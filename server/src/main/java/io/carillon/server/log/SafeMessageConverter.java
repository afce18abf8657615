package io.carillon.server.log;

import io.carillon.sip.bytes.LogText;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.config.plugins.Plugin;
import org.apache.logging.log4j.core.pattern.ConverterKeys;
import org.apache.logging.log4j.core.pattern.LogEventPatternConverter;
import org.apache.logging.log4j.core.pattern.PatternConverter;
import org.jspecify.annotations.Nullable;

/**
 * {@code %safe} in a pattern: the message on one line, escaped and without secrets, whatever text
 * of a stranger or an application is in it.
 */
@Plugin(name = "SafeMessage", category = PatternConverter.CATEGORY)
@ConverterKeys("safe")
public final class SafeMessageConverter extends LogEventPatternConverter {
    private static final SafeMessageConverter ONLY = new SafeMessageConverter();

    private SafeMessageConverter() {
        super("SafeMessage", "message");
    }

    /** Called by the logging system. */
    public static SafeMessageConverter newInstance(String @Nullable [] options) {
        return ONLY;
    }

    @Override
    public void format(LogEvent event, StringBuilder to) {
        to.append(LogText.safe(event.getMessage().getFormattedMessage()));
    }
}
