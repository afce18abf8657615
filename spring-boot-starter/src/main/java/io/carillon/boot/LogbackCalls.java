package io.carillon.boot;

import ch.qos.logback.classic.LoggerContext;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.MDCAdapter;

/**
 * Gives lines of Logback their call: stands before the MDC that Logback reads, and adds to it when
 * a line is written. What the application puts into its MDC stays as it is. Any thread.
 */
final class LogbackCalls implements MDCAdapter {
    private final MDCAdapter own;

    LogbackCalls(MDCAdapter own) {
        this.own = own;
    }

    /** Does nothing where another library logs, or where it was done before. */
    static void install() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            MDCAdapter own = context.getMDCAdapter();
            if (own != null && !(own instanceof LogbackCalls)) {
                context.setMDCAdapter(new LogbackCalls(own));
            }
        }
    }

    /** For a line; null where there is nothing. */
    @Override
    public @Nullable Map<String, String> getCopyOfContextMap() {
        Map<String, String> fields = CallFields.ofThread();
        Map<String, String> map = own.getCopyOfContextMap();
        if (fields.isEmpty() || map == null) {
            return map == null ? fields : map;
        }
        Map<String, String> both = new HashMap<>(map);
        both.putAll(fields);
        return both;
    }

    @Override
    public void put(String key, @Nullable String value) {
        own.put(key, value);
    }

    @Override
    public @Nullable String get(String key) {
        return own.get(key);
    }

    @Override
    public void remove(String key) {
        own.remove(key);
    }

    @Override
    public void clear() {
        own.clear();
    }

    @Override
    public void setContextMap(Map<String, String> map) {
        own.setContextMap(map);
    }

    @Override
    public void pushByKey(String key, @Nullable String value) {
        own.pushByKey(key, value);
    }

    @Override
    public @Nullable String popByKey(String key) {
        return own.popByKey(key);
    }

    @Override
    public @Nullable Deque<String> getCopyOfDequeByKey(String key) {
        return own.getCopyOfDequeByKey(key);
    }

    @Override
    public void clearDequeByKey(String key) {
        own.clearDequeByKey(key);
    }
}
