-- The policy's row of a worker tells whether the turn that it is in was seen, or only stands in its program's record.

update workers set state = '{"turnUnseen": false}'::jsonb || state;
