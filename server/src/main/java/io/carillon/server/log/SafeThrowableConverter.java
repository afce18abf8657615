package io.carillon.server.log;

import io.carillon.sip.bytes.LogText;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.config.plugins.Plugin;
import org.apache.logging.log4j.core.pattern.ConverterKeys;
import org.apache.logging.log4j.core.pattern.LogEventPatternConverter;
import org.apache.logging.log4j.core.pattern.PatternConverter;
import org.jspecify.annotations.Nullable;

/**
 * {@code %safeEx{8}} in a pattern: so many lines of a stack trace, its messages escaped like those
 * of the log, since an exception often quotes what it could not read.
 */
@Plugin(name = "SafeThrowable", category = PatternConverter.CATEGORY)
@ConverterKeys("safeEx")
public final class SafeThrowableConverter extends LogEventPatternConverter {
    private static final int STANDARD_LINES = 8;

    private final int lines;

    private SafeThrowableConverter(int lines) {
        super("SafeThrowable", "throwable");
        this.lines = lines;
    }

    /** Called by the logging system; the option is the number of lines. */
    public static SafeThrowableConverter newInstance(@Nullable String @Nullable [] options) {
        String lines = options == null || options.length == 0 ? null : options[0];
        return new SafeThrowableConverter(
                lines == null || lines.isBlank()
                        ? STANDARD_LINES
                        : Integer.parseInt(lines.strip()));
    }

    @Override
    public boolean handlesThrowable() {
        return true;
    }

    @Override
    public void format(LogEvent event, StringBuilder to) {
        Throwable thrown = event.getThrown();
        if (thrown != null) {
            append(thrown, to);
        }
    }

    private void append(Throwable thrown, StringBuilder to) {
        int left = lines;
        String prefix = "";
        for (Throwable one = thrown; one != null && left > 0; one = one.getCause()) {
            to.append(prefix).append(LogText.safe(one.toString())).append('\n');
            left--;
            for (StackTraceElement frame : one.getStackTrace()) {
                if (left == 0) {
                    return;
                }
                to.append("\tat ").append(frame).append('\n');
                left--;
            }
            prefix = "Caused by: ";
            if (one.getCause() == one) {
                return;
            }
        }
    }
}
