package io.carillon.server.reload;

import io.carillon.server.config.ConfigurationException;
import io.carillon.server.config.ConfigurationSource;
import io.carillon.server.config.ConfigurationValues;
import io.carillon.server.config.ReadConfiguration;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the server runs with: what it was started with, and what reloads changed since. Any thread.
 */
public final class RunningConfiguration {
    private final ConfigurationSource source;
    private final ReadConfiguration started;
    private volatile ReadConfiguration current;

    /**
     * @param started with which everything was made
     * @param source where a reload reads
     */
    public RunningConfiguration(ReadConfiguration started, ConfigurationSource source) {
        this.started = started;
        this.current = started;
        this.source = source;
    }

    /** What was read last and applied; of keys that need a restart it may say what is not so. */
    public ReadConfiguration current() {
        return current;
    }

    /** From now on this is what was applied. */
    void applied(ReadConfiguration read) {
        current = read;
    }

    /**
     * Reads everything again.
     *
     * @throws ConfigurationException as the start would have it
     */
    ReadConfiguration read() throws ConfigurationException {
        return source.read();
    }

    /** What another configuration would change: by a reload, or only by a restart. */
    List<ConfigurationValues.Change> changes(ReadConfiguration other) {
        List<ConfigurationValues.Change> all = new ArrayList<>();
        for (ConfigurationValues.Change one :
                ConfigurationValues.changes(current.configuration(), other.configuration())) {
            if (one.key().reload()) {
                all.add(one);
            }
        }
        for (ConfigurationValues.Change one :
                ConfigurationValues.changes(started.configuration(), other.configuration())) {
            if (!one.key().reload()) {
                all.add(one);
            }
        }
        return all;
    }

    /** The commands that look at it. */
    public Map<String, ControlCommand> commands() {
        return Map.of("config-show", nothing -> show(), "config-diff", nothing -> diff());
    }

    private String show() {
        List<ShownValue> was = ShownValue.of(started);
        List<ShownValue> now = new ArrayList<>();
        for (ShownValue one : ShownValue.of(current)) {
            if (one.reload()) {
                now.add(one);
            }
        }
        for (ShownValue one : was) {
            if (!one.reload()) {
                now.add(one);
            }
        }
        return ConfigurationText.json(now);
    }

    private String diff() throws ControlFailure {
        try {
            ReadConfiguration other = read();
            return ConfigurationText.json(ShownChange.of(changes(other), other));
        } catch (ConfigurationException e) {
            throw new ControlFailure(String.valueOf(e.getMessage()));
        }
    }
}
