-- German's cache coherence protocol for Rumur, step by step as tests/model/german.c: as many states.
-- The number of clients is the constant n.
const n: 3;

type client: 0 .. n - 1;
     cache: enum {invalid, shared, exclusive};
     request: enum {no_request, ask_shared, ask_exclusive};
     grant: enum {no_message, invalidate, grant_shared, grant_exclusive};

var asks: array [client] of request;
    told: array [client] of grant;
    acknowledges: array [client] of boolean;
    has: array [client] of cache;
    to_invalidate: array [client] of boolean;
    shares: array [client] of boolean;
    done: array [client] of boolean;
    exclusive_given: boolean;
    command: request;
    current: client;

startstate begin
    for i: client do
        asks[i] := no_request; told[i] := no_message; acknowledges[i] := false; has[i] := invalid;
        to_invalidate[i] := false; shares[i] := false; done[i] := false;
    end;
    exclusive_given := false; command := no_request; current := 0;
end;

ruleset i: client do
    rule "ask shared"
        asks[i] = no_request & has[i] = invalid & !done[i] ==> begin asks[i] := ask_shared; end;
    rule "ask exclusive"
        asks[i] = no_request & has[i] != exclusive & !done[i] ==> begin asks[i] := ask_exclusive; end;
    rule "stop" !done[i] & asks[i] = no_request ==> begin done[i] := true; end;
    rule "take request" command = no_request & asks[i] != no_request ==> begin
        command := asks[i]; current := i; asks[i] := no_request;
        for j: client do to_invalidate[j] := shares[j]; end;
    end;
    rule "send invalidate"
        told[i] = no_message & to_invalidate[i] &
        (command = ask_exclusive | (command = ask_shared & exclusive_given)) ==> begin
        told[i] := invalidate; to_invalidate[i] := false;
    end;
    rule "invalidate" told[i] = invalidate & !acknowledges[i] ==> begin
        told[i] := no_message; acknowledges[i] := true; has[i] := invalid;
    end;
    rule "take acknowledgement" acknowledges[i] & command != no_request ==> begin
        acknowledges[i] := false; shares[i] := false;
        if exclusive_given then exclusive_given := false; end;
    end;
    rule "receive shared" told[i] = grant_shared ==> begin told[i] := no_message; has[i] := shared; end;
    rule "receive exclusive" told[i] = grant_exclusive ==> begin told[i] := no_message; has[i] := exclusive; end;
end;

rule "grant shared" command = ask_shared & told[current] = no_message & !exclusive_given ==> begin
    told[current] := grant_shared; shares[current] := true; command := no_request;
end;
rule "grant exclusive"
    command = ask_exclusive & told[current] = no_message & !exclusive_given & (forall j: client do !shares[j] end) ==>
begin
    told[current] := grant_exclusive; shares[current] := true; exclusive_given := true; command := no_request;
end;

invariant "one owner"
    forall i: client do forall j: client do i = j | has[i] != exclusive | has[j] = invalid end end;
