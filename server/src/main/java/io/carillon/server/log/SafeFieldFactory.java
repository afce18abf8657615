package io.carillon.server.log;

import io.carillon.sip.bytes.LogText;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.config.plugins.Plugin;
import org.apache.logging.log4j.core.config.plugins.PluginFactory;
import org.apache.logging.log4j.layout.template.json.resolver.EventResolver;
import org.apache.logging.log4j.layout.template.json.resolver.EventResolverContext;
import org.apache.logging.log4j.layout.template.json.resolver.EventResolverFactory;
import org.apache.logging.log4j.layout.template.json.resolver.TemplateResolverConfig;
import org.apache.logging.log4j.layout.template.json.resolver.TemplateResolverFactory;
import org.apache.logging.log4j.layout.template.json.util.JsonWriter;

/**
 * {@code {"$resolver": "safe", "of": ...}} in the template of JSON lines: the message, the
 * exception or what the application put into its MDC, without secrets, as in lines for people.
 */
@Plugin(name = "SafeFieldFactory", category = TemplateResolverFactory.CATEGORY)
public final class SafeFieldFactory implements EventResolverFactory {
    private static final SafeFieldFactory ONLY = new SafeFieldFactory();
    private static final String LINES = "50";

    private SafeFieldFactory() {}

    /** Called by the logging system. */
    @PluginFactory
    public static SafeFieldFactory getInstance() {
        return ONLY;
    }

    @Override
    public String getName() {
        return "safe";
    }

    @Override
    public EventResolver create(EventResolverContext context, TemplateResolverConfig config) {
        String of = config.getString("of");
        return switch (of) {
            case "message" -> new MessageField();
            case "exception" -> new ExceptionField();
            case "mdc" -> new MdcField();
            default -> throw new IllegalArgumentException("no field: " + of);
        };
    }

    private static final class MessageField implements EventResolver {
        @Override
        public void resolve(LogEvent event, JsonWriter json) {
            json.writeString(LogText.safe(event.getMessage().getFormattedMessage()));
        }
    }

    private static final class ExceptionField implements EventResolver {
        private final SafeThrowableConverter text =
                SafeThrowableConverter.newInstance(new String[] {LINES});

        @Override
        public boolean isResolvable(LogEvent event) {
            return event.getThrown() != null;
        }

        @Override
        public void resolve(LogEvent event, JsonWriter json) {
            StringBuilder trace = new StringBuilder();
            text.format(event, trace);
            json.writeString(trace);
        }
    }

    /** All but what is of the call, which has fields of its own. */
    private static final class MdcField implements EventResolver {
        @Override
        public boolean isResolvable(LogEvent event) {
            boolean[] any = new boolean[1];
            event.getContextData().forEach((key, value) -> any[0] |= own(key));
            return any[0];
        }

        @Override
        public void resolve(LogEvent event, JsonWriter json) {
            json.writeObjectStart();
            boolean[] further = new boolean[1];
            event.getContextData()
                    .forEach((key, value) -> {
                        if (own(key)) {
                            if (further[0]) {
                                json.writeSeparator();
                            }
                            further[0] = true;
                            json.writeObjectKey(LogText.safe(key));
                            json.writeString(LogText.safe(String.valueOf(value)));
                        }
                    });
            json.writeObjectEnd();
        }

        private static boolean own(String key) {
            return !key.startsWith(CallFields.PREFIX);
        }
    }
}
