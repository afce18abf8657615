package io.carillon.servlet.app;

import java.util.Collections;
import java.util.Enumeration;
import javax.servlet.ServletConfig;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/** What a servlet's {@code init} gets. Immutable. */
record SipServletConfig(ServletDescription description, ServletContext context)
        implements ServletConfig {
    @Override
    public String getServletName() {
        return description.name();
    }

    @Override
    public ServletContext getServletContext() {
        return context;
    }

    @Override
    public @Nullable String getInitParameter(String name) {
        return description.initParams().get(name);
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
        return Collections.enumeration(description.initParams().keySet());
    }
}
