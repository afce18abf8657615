package io.carillon.servlet.app;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EventListener;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.servlet.Servlet;
import org.jspecify.annotations.Nullable;

/**
 * What an application says of itself, from sip.xml, annotations, or code. Immutable.
 *
 * @param name unique among the deployed applications; the application router knows it by this name
 * @param version of the descriptor; decides the default of invalidate-when-ready
 * @param distributable whether its sessions may move between nodes
 * @param proxyTimeoutSeconds search time of a proxy when the application sets none
 * @param sessionTimeoutMinutes life of an application session; 0 or negative: it never expires
 * @param sessionTimeoutDeclared whether the application said so, or it is the default
 * @param contextParams init parameters of the servlet context
 * @param mainServlet the servlet which gets every initial request; null: the mappings choose
 * @param mappings in the order of the descriptor
 * @param listenerClasses in the order of declaration
 * @param listeners instances, where the application was described in code
 * @param key finds the application session of an initial request; null: each gets a new one
 * @param security constraints on who may call it
 * @param resources names below {@code java:comp/env}
 * @param presentation descriptions and icons
 * @param warnings what was passed over, for the log
 */
public record ApplicationDescription(
        String name,
        Version version,
        String displayName,
        boolean distributable,
        int proxyTimeoutSeconds,
        int sessionTimeoutMinutes,
        boolean sessionTimeoutDeclared,
        Map<String, String> contextParams,
        List<ServletDescription> servlets,
        @Nullable String mainServlet,
        List<ServletMapping> mappings,
        List<String> listenerClasses,
        List<EventListener> listeners,
        @Nullable ApplicationKey key,
        ExecutionMode execution,
        SecurityDescription security,
        List<NamedResource> resources,
        Presentation presentation,
        List<String> warnings) {

    /** Of the SIP Servlet API that the descriptor follows. */
    public enum Version {
        V1_0,
        V1_1
    }

    public static final int DEFAULT_PROXY_TIMEOUT_SECONDS = 180;
    public static final int DEFAULT_SESSION_TIMEOUT_MINUTES = 3;

    public ApplicationDescription {
        contextParams = Collections.unmodifiableMap(new LinkedHashMap<>(contextParams));
        servlets = List.copyOf(servlets);
        mappings = List.copyOf(mappings);
        listenerClasses = List.copyOf(listenerClasses);
        listeners = List.copyOf(listeners);
        resources = List.copyOf(resources);
        warnings = List.copyOf(warnings);
    }

    /** Default of {@code setInvalidateWhenReady}: true from 1.1 on, false for 1.0 applications. */
    public boolean invalidateWhenReady() {
        return version == Version.V1_1;
    }

    /** The servlets: load-on-startup 0 and up ascending, then the others; both as declared. */
    List<ServletDescription> inOrderOfStart() {
        List<ServletDescription> ordered = new ArrayList<>(servlets);
        ordered.sort((a, b) ->
                Integer.compare(
                        a.loadOnStartup() < 0 ? Integer.MAX_VALUE : a.loadOnStartup(),
                        b.loadOnStartup() < 0 ? Integer.MAX_VALUE : b.loadOnStartup()));
        return ordered;
    }

    public static Builder builder(String name) {
        return new Builder(name);
    }

    /**
     * Collects a description; for applications that are described in code, and for the readers of
     * this package. One thread.
     */
    public static final class Builder {
        final String name;
        Version version = Version.V1_1;
        @Nullable String displayName;
        boolean distributable;
        int proxyTimeoutSeconds = DEFAULT_PROXY_TIMEOUT_SECONDS;
        int sessionTimeoutMinutes = DEFAULT_SESSION_TIMEOUT_MINUTES;
        boolean sessionTimeoutDeclared;
        final Map<String, String> contextParams = new LinkedHashMap<>();
        final List<ServletDescription> servlets = new ArrayList<>();
        @Nullable String mainServlet;
        final List<ServletMapping> mappings = new ArrayList<>();
        final List<String> listenerClasses = new ArrayList<>();
        final List<EventListener> listeners = new ArrayList<>();
        @Nullable ApplicationKey key;
        ExecutionMode execution = ExecutionMode.ADAPTIVE;
        SecurityDescription security = SecurityDescription.NONE;
        final List<NamedResource> resources = new ArrayList<>();
        String description = "";
        String smallIcon = "";
        String largeIcon = "";
        final Map<String, String> servletDescriptions = new LinkedHashMap<>();
        final Map<String, String> listenerDescriptions = new LinkedHashMap<>();
        final List<String> warnings = new ArrayList<>();

        Builder(String name) {
            this.name = name;
        }

        public Builder version(Version value) {
            version = value;
            return this;
        }

        public Builder displayName(@Nullable String value) {
            displayName = value;
            return this;
        }

        public Builder distributable(boolean value) {
            distributable = value;
            return this;
        }

        public Builder proxyTimeoutSeconds(int value) {
            proxyTimeoutSeconds = value;
            return this;
        }

        public Builder sessionTimeoutMinutes(int value) {
            sessionTimeoutMinutes = value;
            sessionTimeoutDeclared = true;
            return this;
        }

        /**
         * The parameter {@link ExecutionMode#CONTEXT_PARAM} sets the execution mode too, and {@link
         * OldHabit#CONTEXT_PARAM} the habits.
         *
         * @throws IllegalArgumentException when one of these has a value that it does not know
         */
        public Builder contextParam(String paramName, String value) {
            if (paramName.equals(ExecutionMode.CONTEXT_PARAM)) {
                ExecutionMode mode = ExecutionMode.of(value);
                if (mode == null) {
                    throw new IllegalArgumentException(ExecutionMode.refused(value));
                }
                execution = mode;
            }
            if (paramName.equals(OldHabit.CONTEXT_PARAM)) {
                OldHabit.of(value);
            }
            contextParams.put(paramName, value);
            return this;
        }

        public Builder servlet(ServletDescription servlet) {
            servlets.add(servlet);
            return this;
        }

        /** A servlet made by code; one instance for the life of the application. */
        public Builder servlet(String servletName, Supplier<? extends Servlet> maker) {
            return servlet(new ServletDescription(servletName, servletName, Map.of(), -1, maker));
        }

        public Builder mainServlet(@Nullable String value) {
            mainServlet = value;
            return this;
        }

        public Builder mapping(String servletName, MappingRule rule) {
            mappings.add(new ServletMapping(servletName, rule));
            return this;
        }

        public Builder listenerClass(String className) {
            listenerClasses.add(className);
            return this;
        }

        public Builder listener(EventListener listener) {
            listeners.add(listener);
            return this;
        }

        public Builder key(@Nullable ApplicationKey value) {
            key = value;
            return this;
        }

        public Builder execution(ExecutionMode value) {
            execution = value;
            return this;
        }

        public Builder security(SecurityDescription value) {
            security = value;
            return this;
        }

        public Builder resources(List<NamedResource> values) {
            resources.addAll(values);
            return this;
        }

        /** Where it is not said yet. */
        Builder presentation(String describedAs, String small, String large) {
            description = description.isEmpty() ? describedAs : description;
            smallIcon = smallIcon.isEmpty() ? small : smallIcon;
            largeIcon = largeIcon.isEmpty() ? large : largeIcon;
            return this;
        }

        public Builder warnings(List<String> values) {
            warnings.addAll(values);
            return this;
        }

        /** Main servlet of an application with one servlet and no mapping is that servlet. */
        public ApplicationDescription build() {
            String main = mainServlet;
            if (main == null && mappings.isEmpty() && servlets.size() == 1) {
                main = servlets.getFirst().name();
            }
            return new ApplicationDescription(
                    name,
                    version,
                    displayName == null ? name : displayName,
                    distributable,
                    proxyTimeoutSeconds,
                    sessionTimeoutMinutes,
                    sessionTimeoutDeclared,
                    contextParams,
                    servlets,
                    main,
                    mappings,
                    listenerClasses,
                    listeners,
                    key,
                    execution,
                    security,
                    resources,
                    new Presentation(
                            description,
                            smallIcon,
                            largeIcon,
                            servletDescriptions,
                            listenerDescriptions),
                    warnings);
        }
    }
}
