package io.carillon.server.api;

import io.carillon.server.access.Role;
import io.carillon.server.control.ControlFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operation: how it is asked for, who may, and what does it. Immutable. */
public final class Operation {
    /** Methods that are used. */
    public enum Method {
        GET,
        POST,
        PUT,
        DELETE
    }

    /** What is done. On a thread of the API; may wait. */
    @FunctionalInterface
    interface Work {
        ApiAnswer of(ApiCall call) throws ControlFailure, Problem;
    }

    /** How what is changed stands; null: there is nothing to be said. */
    @FunctionalInterface
    interface Look {
        @Nullable String of(ApiCall call) throws ControlFailure, Problem;
    }

    /** What the body of a request is. */
    enum BodyKind {
        NONE,
        JSON,
        ARCHIVE
    }

    private final Builder made;

    private Operation(Builder made) {
        this.made = made;
    }

    /** The name by which clients call it. */
    public String id() {
        return made.id;
    }

    /** GET does not change anything. */
    public Method method() {
        return made.method;
    }

    /** Its path below /api/v1, with names in braces. */
    public String path() {
        return made.path;
    }

    /** Who may; null: everybody, who need not say who he is. */
    public @Nullable Role role() {
        return made.role;
    }

    /** Commands of the control socket that it does. */
    public List<String> commands() {
        return List.copyOf(made.commands);
    }

    /** A sentence. */
    public String summary() {
        return made.summary;
    }

    /** The subject that it stands under. */
    public String subject() {
        return made.subject;
    }

    /** Its parameters. */
    public List<Parameter> parameters() {
        return List.copyOf(made.parameters);
    }

    BodyKind bodyKind() {
        return made.bodyKind;
    }

    @Nullable Class<?> body() {
        return made.body;
    }

    Class<?> answer() {
        return made.answer;
    }

    boolean answersList() {
        return made.list;
    }

    /** Is the answer a file? */
    boolean answersFile() {
        return made.file;
    }

    /** A stream of events, which does not end. */
    boolean stream() {
        return made.stream;
    }

    /** Looks at so much that few may at once. */
    boolean heavy() {
        return made.heavy;
    }

    /** Is it written into the audit log? All but those that only look. */
    public boolean changes() {
        return made.method != Method.GET && !made.looks;
    }

    /** May there be parameters that nobody knows? */
    boolean anyQuery() {
        return made.anyQuery;
    }

    /** The parameter that says what it is done to; empty: none. */
    String target() {
        return made.target;
    }

    /** Has the body passwords, which are in no log? */
    boolean secret() {
        return made.secret;
    }

    Work work() {
        Work does = made.work;
        if (does == null) {
            throw new IllegalStateException(made.id + " does nothing");
        }
        return does;
    }

    @Nullable Look look() {
        return made.look;
    }

    /**
     * A parameter.
     *
     * @throws IllegalArgumentException when there is none of that name
     */
    Parameter parameter(String name) {
        for (Parameter one : made.parameters) {
            if (one.name().equals(name)) {
                return one;
            }
        }
        throw new IllegalArgumentException(made.id + " has no parameter " + name);
    }

    @Override
    public String toString() {
        return made.method + " " + made.path;
    }

    static Builder get(String id, String path) {
        return new Builder(id, Method.GET, path);
    }

    static Builder post(String id, String path) {
        return new Builder(id, Method.POST, path);
    }

    static Builder put(String id, String path) {
        return new Builder(id, Method.PUT, path);
    }

    static Builder delete(String id, String path) {
        return new Builder(id, Method.DELETE, path);
    }

    /** An operation in the making. One thread. */
    static final class Builder {
        private final String id;
        private final Method method;
        private final String path;
        private final List<String> commands = new ArrayList<>();
        private final List<Parameter> parameters = new ArrayList<>();
        private @Nullable Role role;
        private String summary = "";
        private String subject = "";
        private BodyKind bodyKind = BodyKind.NONE;
        private @Nullable Class<?> body;
        private Class<?> answer = ApiAnswer.Message.class;
        private boolean list;
        private boolean stream;
        private boolean file;
        private boolean heavy;
        private boolean looks;
        private boolean secret;
        private boolean anyQuery;
        private String target = "";
        private @Nullable Work work;
        private @Nullable Look look;

        private Builder(String id, Method method, String path) {
            this.id = id;
            this.method = method;
            this.path = path;
        }

        /** Who may. */
        Builder role(Role who) {
            role = who;
            return this;
        }

        /** What it is, in a sentence. */
        Builder about(String what, String sentence) {
            subject = what;
            summary = sentence;
            return this;
        }

        Builder command(String... names) {
            commands.addAll(List.of(names));
            return this;
        }

        Builder with(Parameter parameter) {
            parameters.add(parameter);
            return this;
        }

        /** A parameter of the path that says what it is done to. */
        Builder on(String name, String sentence) {
            parameters.add(Parameter.path(name, sentence));
            target = name;
            return this;
        }

        /** The parameter that says what it is done to. */
        Builder target(String name) {
            target = name;
            return this;
        }

        Builder takes(Class<?> type) {
            body = type;
            bodyKind = BodyKind.JSON;
            return this;
        }

        Builder takesArchive() {
            bodyKind = BodyKind.ARCHIVE;
            return this;
        }

        /** Parameters that nobody knows are passed over. */
        Builder anyQuery() {
            anyQuery = true;
            return this;
        }

        /** The body has passwords. */
        Builder secret() {
            secret = true;
            return this;
        }

        Builder answers(Class<?> type) {
            answer = type;
            return this;
        }

        Builder answersList(Class<?> type) {
            answer = type;
            list = true;
            return this;
        }

        Builder answersFile() {
            file = true;
            return this;
        }

        Builder stream() {
            stream = true;
            return this;
        }

        Builder heavy() {
            heavy = true;
            return this;
        }

        /** It changes nothing, although it is no GET. */
        Builder onlyLooks() {
            looks = true;
            return this;
        }

        /** How what it changes stands, before and after. */
        Builder looksAt(Look state) {
            look = state;
            return this;
        }

        Operation does(Work what) {
            work = what;
            return new Operation(this);
        }
    }
}
