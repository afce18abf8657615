package io.carillon.server.api;

import io.carillon.server.access.Caller;
import io.carillon.server.access.Role;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One use of an operation: who wants what. Of the thread that does it.
 *
 * @param operation that is used
 * @param caller null where an operation is open to everybody
 * @param visitor what the request says of who asks
 * @param values of the parameters, those that were given
 * @param body of the request; empty where there is none
 */
record ApiCall(
        Operation operation,
        @Nullable Caller caller,
        Visitor visitor,
        Map<String, String> values,
        String body) {
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .build();

    /** A text; empty when it was not given. */
    String text(String name) {
        String given = values.get(name);
        String standard = operation.parameter(name).standard();
        return given != null ? given : standard == null ? "" : standard;
    }

    boolean flag(String name) {
        return text(name).equals("true");
    }

    long number(String name) throws Problem {
        return operation.parameter(name).number(text(name));
    }

    int count(String name) throws Problem {
        return Math.toIntExact(number(name));
    }

    /** Who it is, for logs of the server: people read there who did it and how he came. */
    String who() throws Problem {
        return known().name() + " at " + visitor.address();
    }

    Caller known() throws Problem {
        Caller found = caller;
        if (found == null) {
            throw new Problem(HttpStatus.UNAUTHORIZED_401, "nobody is known to ask");
        }
        return found;
    }

    /** Part of an operation asks for more than the operation. */
    void needs(Role role, String what) throws Problem {
        if (!known().may(role)) {
            throw new Problem(HttpStatus.FORBIDDEN_403, what + " needs the role " + role.word());
        }
    }

    /** The body as an object. */
    <T> T body(Class<T> type) throws Problem {
        try {
            T read = JSON.readValue(body, type);
            if (read != null) {
                return read;
            }
        } catch (JacksonException e) {
            throw new Problem(
                    HttpStatus.BAD_REQUEST_400,
                    "the body cannot be read: " + firstLine(e.getOriginalMessage()),
                    e);
        }
        throw Problem.bad("the body is null");
    }

    /** What it is done to, for the audit log. */
    String target() {
        if (!operation.target().isEmpty()) {
            return text(operation.target());
        }
        if (!operation.secret()) {
            return "";
        }
        try { // of a body with a password it tells the name alone
            JsonNode read = JSON.readTree(body);
            return read.path("name").asString(read.path("account").asString(""));
        } catch (JacksonException e) {
            return ""; // the operation will say what is wrong
        }
    }

    /** What is asked for, for the audit log: without passwords. */
    String asked() {
        StringBuilder asked = new StringBuilder();
        for (Parameter one : operation.parameters()) {
            String given = values.get(one.name());
            if (given != null && !one.name().equals(operation.target())) {
                asked.append(one.name()).append('=').append(given).append(' ');
            }
        }
        if (!operation.secret()) {
            asked.append(body);
        }
        return asked.toString().strip();
    }

    ApiCall with(String other) {
        return new ApiCall(operation, caller, visitor, values, other);
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }
}
