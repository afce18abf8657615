package io.carillon.server.reload;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationException;
import io.carillon.server.config.ConfigurationValues;
import io.carillon.server.config.Origin;
import io.carillon.server.config.ReadConfiguration;
import io.carillon.server.control.CallerCommand;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.start.SettingException;
import io.carillon.server.start.StartException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the configuration again and applies what can change: either all of it, or nothing. What
 * needs a restart is named. Any thread; one reload at a time.
 */
public final class Reloading {
    private static final Logger LOG = LoggerFactory.getLogger(Reloading.class);
    private static final String STAYS = "; the running configuration stays as it is";

    private final RunningConfiguration running;
    private final List<LivePart> parts;

    /**
     * @param parts in the order in which they are changed; what binds ports comes last
     */
    public Reloading(RunningConfiguration running, List<LivePart> parts) {
        this.running = running;
        this.parts = List.copyOf(parts);
    }

    /**
     * What a reload did.
     *
     * @param changed values that are in use from now on
     * @param restart values that need a restart, and are not in use
     */
    public record Outcome(List<ShownChange> changed, List<ShownChange> restart) {}

    /** The configuration that runs. */
    public RunningConfiguration running() {
        return running;
    }

    /** The command of the control socket. */
    public Map<String, ControlCommand> commands() {
        return Map.of("reload", (CallerCommand) this::reload);
    }

    private String reload(String nothing, String who) throws ControlFailure {
        return ConfigurationText.json(reload(who));
    }

    /** For a signal, which hears no answer: the log has it. */
    public void reloadBySignal() {
        try {
            reload("SIGHUP");
        } catch (ControlFailure e) {
            LOG.debug("Told already", e);
        }
    }

    /**
     * Reloads.
     *
     * @param who for the log
     * @throws ControlFailure with file and line of what is wrong; nothing has changed then
     */
    public synchronized Outcome reload(String who) throws ControlFailure {
        try {
            Outcome outcome = reload();
            LOG.info(
                    "The configuration was reloaded by {}: {} values changed",
                    who,
                    outcome.changed().size());
            for (ShownChange one : outcome.restart()) {
                LOG.warn("{} ({}) needs a restart", one.key(), one.origin());
            }
            return outcome;
        } catch (ConfigurationException | StartException e) {
            LOG.error("Not reloaded, for {}: {}", who, e.getMessage());
            throw new ControlFailure(e.getMessage() + STAYS, e);
        }
    }

    private Outcome reload() throws ConfigurationException, StartException {
        ReadConfiguration read = running.read();
        List<ConfigurationValues.Change> live = new ArrayList<>();
        List<ConfigurationValues.Change> restart = new ArrayList<>();
        for (ConfigurationValues.Change one : running.changes(read)) {
            (one.key().reload() ? live : restart).add(one);
        }
        List<ShownChange> shown = ShownChange.of(live, read);
        List<LivePart.Change> ready = prepared(running.current().configuration(), read);
        ready.forEach(change -> change.apply().run());
        running.applied(read);
        return new Outcome(shown, ShownChange.of(restart, read));
    }

    private List<LivePart.Change> prepared(Configuration before, ReadConfiguration read)
            throws StartException {
        List<LivePart.Change> ready = new ArrayList<>();
        try {
            for (LivePart part : parts) {
                ready.add(part.prepare(before, read.configuration()));
            }
            return ready;
        } catch (StartException | RuntimeException e) {
            ready.forEach(change -> change.cancel().run());
            throw placed(e, read);
        }
    }

    private static StartException placed(Exception e, ReadConfiguration read) {
        if (e instanceof SettingException setting) {
            Origin place = read.place(setting.key());
            if (place != null) {
                return new StartException(place + ": " + e.getMessage(), e);
            }
        }
        return e instanceof StartException start
                ? start
                : new StartException(String.valueOf(e.getMessage()), e);
    }
}
