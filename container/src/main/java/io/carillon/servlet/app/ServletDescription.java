package io.carillon.servlet.app;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import javax.servlet.Servlet;
import org.jspecify.annotations.Nullable;

/**
 * One servlet of an application.
 *
 * @param name name within the application
 * @param className class to make it of
 * @param initParams its init parameters, in the order of the descriptor
 * @param loadOnStartup order of initialization: 0 and up first, ascending; negative after those
 * @param maker makes the instance, where the application was described in code; null: by the class
 *     name
 */
public record ServletDescription(
        String name,
        String className,
        Map<String, String> initParams,
        int loadOnStartup,
        @Nullable Supplier<? extends Servlet> maker) {

    public ServletDescription {
        initParams = Collections.unmodifiableMap(new LinkedHashMap<>(initParams));
    }

    public ServletDescription(String name, String className) {
        this(name, className, Map.of(), -1, null);
    }
}
