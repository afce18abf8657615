package io.carillon.boot;

import java.util.Map;
import org.apache.logging.log4j.core.util.ContextDataProvider;

/**
 * Gives lines of Log4j their call, in an application that logs by {@code
 * spring-boot-starter-log4j2}. Log4j makes it; any thread.
 */
public final class Log4jCalls implements ContextDataProvider {
    /** Named in META-INF/services. */
    public Log4jCalls() {}

    @Override
    public Map<String, String> supplyContextData() {
        return CallFields.ofThread();
    }
}
