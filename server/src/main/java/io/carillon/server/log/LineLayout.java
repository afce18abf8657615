package io.carillon.server.log;

import java.nio.charset.StandardCharsets;
import org.apache.logging.log4j.core.Layout;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.StringLayout;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.Node;
import org.apache.logging.log4j.core.config.plugins.Plugin;
import org.apache.logging.log4j.core.config.plugins.PluginAttribute;
import org.apache.logging.log4j.core.config.plugins.PluginConfiguration;
import org.apache.logging.log4j.core.config.plugins.PluginFactory;
import org.apache.logging.log4j.core.layout.AbstractStringLayout;
import org.apache.logging.log4j.core.layout.ByteBufferDestination;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.apache.logging.log4j.layout.template.json.JsonTemplateLayout;
import org.jspecify.annotations.Nullable;

/**
 * Lines of the log, for people or as JSON, as {@code log.format} says; that may change while lines
 * are written, and no line is lost by it. Any thread; the process has one format.
 */
@Plugin(
        name = "LineLayout",
        category = Node.CATEGORY,
        elementType = Layout.ELEMENT_TYPE,
        printObject = true)
public final class LineLayout extends AbstractStringLayout {
    private static final int LONGEST_TEXT = 16_384;

    private static volatile boolean json;

    private final Configuration owner;
    private final StringLayout text;

    /** Made by the first line in that format. */
    private volatile @Nullable StringLayout object;

    private LineLayout(Configuration configuration, StringLayout text) {
        super(StandardCharsets.UTF_8);
        this.owner = configuration;
        this.text = text;
    }

    /**
     * Called by the logging system.
     *
     * @param pattern of lines for people
     */
    @PluginFactory
    public static LineLayout create(
            @PluginAttribute("pattern") String pattern,
            @PluginConfiguration Configuration configuration) {
        PatternLayout text =
                PatternLayout.newBuilder()
                        .setConfiguration(configuration)
                        .setCharset(StandardCharsets.UTF_8)
                        .setPattern(pattern)
                        .build();
        return new LineLayout(configuration, text);
    }

    /** From now on lines are objects of JSON, or text. */
    public static void json(boolean wanted) {
        json = wanted;
    }

    private StringLayout now() {
        if (!json) {
            return text;
        }
        StringLayout made = object;
        if (made == null) {
            made =
                    JsonTemplateLayout.newBuilder()
                            .setConfiguration(owner)
                            .setCharset(StandardCharsets.UTF_8)
                            .setEventTemplateUri("classpath:carillon-log.json")
                            .setEventDelimiter("\n")
                            .setMaxStringLength(LONGEST_TEXT)
                            .setLocationInfoEnabled(false)
                            .build();
            object = made;
        }
        return made;
    }

    @Override
    public String toSerializable(LogEvent event) {
        return now().toSerializable(event);
    }

    @Override
    public byte[] toByteArray(LogEvent event) {
        return now().toByteArray(event);
    }

    @Override
    public void encode(LogEvent event, ByteBufferDestination destination) {
        now().encode(event, destination);
    }
}
