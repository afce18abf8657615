package io.carillon.server.audit;

import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The commands that show the audit log; answers are JSON. Any thread. */
public final class AuditCommands {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Path folder;

    private AuditCommands(Path folder) {
        this.folder = folder;
    }

    /** By the names that the command line sends. */
    public static Map<String, ControlCommand> of(Path folder) {
        AuditCommands commands = new AuditCommands(folder);
        return Map.of("audit", commands::show, "audit-verify", nothing -> commands.verify());
    }

    private String show(String filter) throws ControlFailure {
        try {
            return JSON.writeValueAsString(
                    AuditReader.read(folder, JSON.readValue(filter, AuditReader.Filter.class)));
        } catch (JacksonException e) {
            throw new ControlFailure(
                    ControlFailure.Kind.BAD,
                    "the filter cannot be read: " + e.getOriginalMessage(),
                    e);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private String verify() throws ControlFailure {
        try {
            return JSON.writeValueAsString(AuditReader.verify(folder));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static ControlFailure failed(IOException e) {
        return new ControlFailure(
                ControlFailure.Kind.BUSY, "the audit log cannot be read: " + e.getMessage(), e);
    }

    /** Reads what is answered to "audit". */
    public static List<AuditEntry> readList(String json) {
        return List.of(JSON.readValue(json, AuditEntry[].class));
    }

    /** Reads what is answered to "audit-verify". */
    public static AuditReader.Verdict readVerdict(String json) {
        return JSON.readValue(json, AuditReader.Verdict.class);
    }
}
