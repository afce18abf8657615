package io.carillon.web;

import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A refusal as RFC 9457 says it: type, title, status and a sentence. */
final class ApiProblem extends ErrorResponseException {
    private ApiProblem(HttpStatus status, String type, String detail) {
        super(status, body(status, type, detail), null);
    }

    private static ProblemDetail body(HttpStatus status, String type, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setType(URI.create("urn:carillon:problem:" + type));
        problem.setTitle(status.getReasonPhrase());
        return problem;
    }

    static ApiProblem notSignedIn() {
        ApiProblem problem =
                new ApiProblem(HttpStatus.UNAUTHORIZED, "not-signed-in", "Sign in first.");
        problem.getHeaders().set("WWW-Authenticate", "Bearer realm=\"carillon\"");
        return problem;
    }

    static ApiProblem wrongPassword() {
        return new ApiProblem(
                HttpStatus.UNAUTHORIZED, "wrong-password", "User or password is wrong.");
    }

    static ApiProblem tooManyTries(long seconds) {
        ApiProblem problem =
                new ApiProblem(
                        HttpStatus.TOO_MANY_REQUESTS,
                        "too-many-tries",
                        "Too many wrong passwords: try again in " + seconds + " s.");
        problem.getHeaders().set("Retry-After", Long.toString(seconds));
        return problem;
    }

    static ApiProblem manySignIns() {
        ApiProblem problem =
                new ApiProblem(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "busy",
                        "Too many sign in at once: try again soon.");
        problem.getHeaders().set("Retry-After", "1");
        return problem;
    }

    static ApiProblem otherOrigin(String origin) {
        return new ApiProblem(
                HttpStatus.FORBIDDEN,
                "other-origin",
                "A page of " + origin + " cannot use this API.");
    }

    static ApiProblem badNumber(String asked) {
        return new ApiProblem(
                HttpStatus.BAD_REQUEST,
                "bad-number",
                "'"
                        + asked
                        + "' is neither a SIP URI such as sip:bob@example.com nor a destination"
                        + " that is known here.");
    }

    static ApiProblem notPlain(String asked) {
        return new ApiProblem(
                HttpStatus.BAD_REQUEST,
                "bad-number",
                "'"
                        + asked
                        + "' has more than user, host, port and transport: a password, headers,"
                        + " other parameters or reserved characters in the user are not taken.");
    }

    static ApiProblem notAllowed(String host) {
        return new ApiProblem(
                HttpStatus.FORBIDDEN, "not-allowed", "Nobody at " + host + " may be called.");
    }

    static ApiProblem noSuch(String what, String id) {
        return new ApiProblem(
                HttpStatus.NOT_FOUND, "no-such-" + what, "There is no " + what + " " + id + ".");
    }

    static ApiProblem tooManyCalls(int most) {
        return new ApiProblem(
                HttpStatus.CONFLICT,
                "too-many-calls",
                "You have " + most + (most == 1 ? " call" : " calls") + " already: hang up first.");
    }

    static ApiProblem full() {
        ApiProblem problem =
                new ApiProblem(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "full",
                        "All lines are taken: try again soon.");
        problem.getHeaders().set("Retry-After", "10");
        return problem;
    }

    static ApiProblem hasEnded(String id) {
        return new ApiProblem(
                HttpStatus.CONFLICT, "has-ended", "Call " + id + " has ended already.");
    }
}
